import { beforeEach, expect, it } from '@jest/globals';
import type { collectionCompleted } from '@clew/contracts';
import {
  collectionRequested,
  type ConversationSnapshot,
  type DiagnosedConversation,
  type EnvelopeOf,
} from '@clew/contracts';
import { createInferenceClient } from '@clew/inference';
import { newId, systemClock } from '@clew/kernel';
import { consume, createPublisher, QUEUES, type Broker } from '@clew/messaging';
import { eventually, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import { openTestBroker, openTestHost } from '@clew/testing-host';
import { WorkerConfig } from '../config.ts';
import { createWorker } from '../create-worker.ts';
import { correctedConversation } from '../test-support/conversations.ts';
import { startDiagnostics, type LoopbackDiagnostics } from '../test-support/diagnostics.ts';
import { absentService } from '../test-support/knowledge.ts';
import { startWarehouse, type LoopbackWarehouse } from '../test-support/warehouse.ts';

type Looked = EnvelopeOf<typeof collectionCompleted>['data']['conversations'][number];

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let warehouse: LoopbackWarehouse;
let diagnostics: LoopbackDiagnostics;
let broker: Broker;
let results: EnvelopeOf<typeof collectionCompleted>[];

beforeEach(async () => {
  warehouse = await startWarehouse();
  diagnostics = await startDiagnostics();
  broker = await openTestBroker(environment);
  const told: typeof results = [];
  results = told;
  const consumer = consume({
    ...{ broker, logger, queue: QUEUES.collectionResults },
    handle: async (result) => void told.push(result),
  });
  const host = await openTestHost(environment, { name: 'jobs-worker', config: WorkerConfig, clock: systemClock });
  const inference = createInferenceClient({
    ...{ baseUrl: 'http://127.0.0.1:1', serviceName: 'jobs-worker', sign: () => 'token' },
  });
  const served = await host.serve(
    createWorker({
      ...{ ...host, warehouse: warehouse.clientFor(), diagnostics: diagnostics.client, knowledge: absentService() },
      ...{ inference, rules: [] },
    }),
  );
  served.start();
  cleanup(async () => {
    await consumer.stop();
    await served.stop();
    await host.close();
    await broker.close();
    await diagnostics.stop();
    await warehouse.stop();
  });
});

/** Conversation whose user is content in the end. */
function contentConversation(projectId: string, conversationId: string): ConversationSnapshot {
  const snapshot = correctedConversation(projectId, conversationId);
  const last = snapshot.messages.at(-1)!;
  const thanks = { ...last, index: last.index + 1, role: 'user' as const, content: 'Great, thank you!' };
  const said = { ...snapshot.messages[2]!, content: 'And the other one, of a@b.example?' };
  return { ...snapshot, messages: [...snapshot.messages.slice(0, 2), said, last, thanks] };
}

const knownAs = (conversationId: string, more: Partial<DiagnosedConversation> = {}): DiagnosedConversation => {
  return { conversationId, snapshotId: null, score: 0.1, problems: [], ...more };
};

/** Has the worker look at conversations, of which the warehouse knows those that have a snapshot. */
async function look(projectId: string, snapshots: readonly ConversationSnapshot[], ids: readonly string[]) {
  for (const snapshot of snapshots) warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  const { type, version } = collectionRequested;
  const publisher = createPublisher(broker);
  await publisher.publish(collectionRequested, {
    ...{ id: `${type}:${projectId}`, type, version, occurredAt: 1, projectId, requestId: null },
    data: {
      ...{ datasetId: 'dst_1', objective: 'preserve_successful_behavior', redaction: true },
      conversations: ids.map((conversationId) => {
        const { snapshotId } = correctedConversation(projectId, conversationId);
        return { conversationId, snapshotId, round: 1 };
      }),
    },
  });
  await publisher.close();
  return await eventually(() => {
    const told = results.filter((result) => result.projectId === projectId).flatMap(({ data }) => data.conversations);
    if (told.length < ids.length) throw new Error('There is no result yet');
    return new Map(told.map((each): [string, Looked] => [each.conversationId, each]));
  });
}

it('tells of each conversation of a command what a Dataset collects, or why nothing', async () => {
  const projectId = newId('prj');
  const problem = {
    ...{ findingId: 'fnd_1', ruleKey: 'loop', severity: 'high' as const, title: 't', causeAssessment: '' },
    ...{ remediationHint: '', reviewStatus: 'unreviewed' as const, resolutionStatus: 'unresolved' as const },
    anchor: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [] },
    location: { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 1, quotes: [] },
  };
  const known = [
    knownAs('good'),
    knownAs('bad', { problems: [problem] }),
    knownAs('excused', { problems: [{ ...problem, reviewStatus: 'dismissed' }] }),
    knownAs('doubtful', { score: 0.9 }),
    knownAs('gone'),
  ];
  for (const each of known) diagnostics.conversations.set(each.conversationId, each);
  const names = ['good', 'bad', 'excused', 'doubtful', 'unknown'];
  const told = await look(
    projectId,
    names.map((name) => contentConversation(projectId, name)),
    [...names, 'gone'],
  );
  expect(
    [...told].map(([name, { outcome }]) => [name, 'reason' in outcome ? outcome.reason : outcome.because]),
  ).toEqual(
    expect.arrayContaining([
      ['good', 'confirmation'],
      ['bad', 'open_problem'],
      ['excused', 'confirmation'],
      ['doubtful', 'likely_failed'],
      ['unknown', 'not_analysed'],
      ['gone', 'conversation_gone'],
    ]),
  );
  expect(told.get('bad')?.problems).toEqual([{ findingId: 'fnd_1', severity: 'high', reviewStatus: 'unreviewed' }]);
  expect(told.get('good')?.outcome).toMatchObject({ status: 'collected', redacted: 1 });
  expect(JSON.stringify([...told])).not.toContain('a@b.example');
});
