import {
  extractionCompleted,
  extractionRequested,
  type EnvelopeOf,
  type ConversationSnapshot,
  type ExtractedItem,
  type Rejections,
  type LearningGoal,
} from '@clew/contracts';
import { createInferenceClient } from '@clew/inference';
import { newId } from '@clew/kernel';
import type { TestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { openTestDatabaseHost } from '@clew/testing-host';
import { callerOf, createIdentities, keyWith } from '@clew/testing/identities';
import { KnowledgeConfig } from '../config.ts';
import { createKnowledge } from '../create-knowledge.ts';
import { migrations } from '../migrations.ts';
import { callPatience } from '../search/index.ts';
import { startModelRuntime } from './model-runtime.ts';
import { startWarehouse } from './warehouse.ts';

/** Service instance on loopback, wired as in `main`. */
export type TestService = Awaited<ReturnType<typeof startTestService>>;
export type Command = EnvelopeOf<typeof extractionRequested>;
export type Outcome = EnvelopeOf<typeof extractionCompleted>['data']['outcome'];

export const PROJECT_ID = newId('prj');
export const OTHER_PROJECT_ID = newId('prj');
export const PATIENCE_MS = 600_000;

export interface TestServiceOptions {
  mongoUrl?: string;
  /** Long by default, because the machine may be busy with other work. */
  searchPatienceMs?: number;
}

export async function startTestService(
  environment: TestEnvironment,
  { mongoUrl, searchPatienceMs = 30_000 }: TestServiceOptions = {},
) {
  const identities = createIdentities();
  const modelRuntime = await startModelRuntime(identities.at('model-runtime-svc').authenticate);
  const warehouse = await startWarehouse(identities.at('telemetry-warehouse').authenticate);
  const host = await openTestDatabaseHost(environment, {
    ...{ name: 'knowledge-svc', config: KnowledgeConfig, migrations, identities },
    variables: { MODEL_RUNTIME_SVC_URL: modelRuntime.url, TELEMETRY_WAREHOUSE_URL: warehouse.url },
    ...(mongoUrl === undefined ? {} : { mongoUrl }),
  });
  const { database, broker, publisher, clock } = host;
  const clients = {
    warehouse: host.client('telemetry-warehouse'),
    modelRuntime: host.client('model-runtime-svc'),
    inference: createInferenceClient({ ...host.callerOf('model-runtime-svc'), ...callPatience(searchPatienceMs) }),
  };
  const served = await host.serve(
    createKnowledge({ ...host, ...clients, searchPatienceMs, pace: { pageSize: 3, pollMs: 20 } }),
  );
  const call = callerOf({
    ...{ url: served.url, identities: identities.at('knowledge-svc') },
    ...{ projectId: PROJECT_ID, prefix: '/knowledge' },
    principal: keyWith('workspace:read', 'workspace:write'),
  });
  return {
    ...{ database, broker, publisher, clock, modelRuntime, warehouse, call },
    start: served.start,
    async newGoal(projectId: string, fields: object = {}): Promise<LearningGoal> {
      const body = { name: 'Facts', instruction: 'Learn facts of deliveries', ...fields };
      const made = await call<LearningGoal>({ method: 'POST', projectId, path: '/goals', body });
      if (made.status !== 201) throw new Error(made.text);
      return made.body;
    },
    /** Commands that were sent to workers in a project, in order. */
    commands: (projectId: string) => emittedMessages(database, extractionRequested, projectId),
    /** Answers a command as a worker does. */
    async complete(command: Command, outcome: Outcome, calls = 1): Promise<void> {
      const { extractionId, goalId, goalRevision, conversationId, snapshotId, model, round } = command.data;
      const extraction = { extractionId, goalId, goalRevision, conversationId, snapshotId, model, round };
      await publisher.publish(extractionCompleted, {
        ...{ id: newId('evt'), type: extractionCompleted.type, version: 1, occurredAt: clock.now() },
        ...{ projectId: command.projectId, requestId: command.requestId },
        data: { ...extraction, calls, tokens: 10 * calls, outcome },
      });
    },
    async stop() {
      await served.stop();
      await warehouse.stop();
      await modelRuntime.stop();
      await host.close();
    },
  };
}

/** Outcome with these items and rejections, after which all messages count as read. */
export function readOutcome(items: readonly ExtractedItem[], rejected: Rejections = {}): Outcome {
  const newlyRead = Buffer.from('12345678').toString('base64');
  return { status: 'read', items: [...items], rejected, newlyRead, isComplete: true };
}

/** Item that quotes words of a snapshot at their place. */
export function itemIn(
  snapshot: ConversationSnapshot,
  quote: string,
  more: Partial<ExtractedItem> = {},
): ExtractedItem {
  const message = snapshot.messages.find(({ content }) => content.includes(quote));
  if (message === undefined) throw new Error(`Nobody said ${quote}`);
  const startChar = message.content.indexOf(quote);
  const { index: messageIndex, traceId, spanId } = message;
  return {
    ...{ title: 'A fact', content: quote, kind: 'fact', confidence: 0.8, authority: 'user_stated' },
    evidence: [{ traceId, spanId, messageIndex, quote, startChar, endChar: startChar + quote.length }],
    ...more,
  };
}
