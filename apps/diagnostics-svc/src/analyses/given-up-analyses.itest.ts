import { beforeEach, expect, it } from '@jest/globals';
import type { analysisRequested, EnvelopeOf } from '@clew/contracts';
import { analysisCompleted, conversationReady, snapshotAnalysed } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { consume, listDeadLetters, QUEUES, replayDeadLetters, startRelay, subscribeBroadcast } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';
import { runsOf } from '../test-support/analyses.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let service: TestService;
/** Announcements of analysed snapshots. */
let told: EnvelopeOf<typeof snapshotAnalysed>['data']['snapshots'];

beforeEach(async () => {
  service = await startTestService(environment, { retryDelaysMs: [30] });
  cleanup(() => service.stop());
  service.start();
  const relay = startRelay({ database: service.database, publisher: service.publisher, logger });
  cleanup(() => relay.stop());
  told = [];
  const listening = subscribeBroadcast({
    ...{ broker: service.broker, spec: snapshotAnalysed, logger },
    handle: ({ data }) => void told.push(...data.snapshots),
  });
  cleanup(() => listening.stop());
  await eventually(() => expect(listening.isSubscribed()).toBe(true));
});

/** Makes a project whose conversations have become ready, so that runs are queued. */
async function becomeReady(): Promise<string> {
  const projectId = newId('prj');
  const { type, version } = conversationReady;
  const conversations = ['one', 'another'].map((conversationId) => ({
    ...{
      conversationId,
      snapshotId: derivedId('cesr', projectId, conversationId),
      contentHash: 'a',
      messagesHash: 'a',
    },
    ...{ revision: 1, startedAt: 1, lastActivityAt: 2, messageCount: 1, traceIds: [] },
  }));
  const envelope = { id: newId('evt'), type, version, occurredAt: 2, projectId, requestId: null };
  await service.publisher.publish(conversationReady, { ...envelope, data: { conversations } });
  return projectId;
}

async function statesOf(projectId: string): Promise<unknown[]> {
  const runs = await runsOf(service.database, projectId);
  return [...new Set(runs.map(({ state, reason }) => `${state}: ${String(reason)}`))];
}

it('the runs of a command that ends in the dead letters fail with the reason, and count once it is sent again', async () => {
  const failing = consume({
    ...{ broker: service.broker, queue: QUEUES.analysis, logger },
    handle: async () => {
      throw new Error('the worker cannot');
    },
  });
  const projectId = await becomeReady();
  await eventually(async () =>
    expect(await statesOf(projectId)).toEqual(['failed: The analysis was given up after its last attempt']),
  );
  await failing.stop();
  const unknown = { analysed: true, unknownRules: BUILT_IN_RULES.length };
  await eventually(() => expect(told).toMatchObject([unknown, unknown]));
  await eventually(async () => expect(await listDeadLetters(service.broker, QUEUES.analysis)).toHaveLength(1));

  const working = consume<typeof analysisRequested>({
    ...{ broker: service.broker, queue: QUEUES.analysis, logger },
    async handle({ requestId, data: { rules, snapshots } }) {
      const { type, version } = analysisCompleted;
      await service.publisher.publish(analysisCompleted, {
        ...{ id: newId('evt'), type, version, occurredAt: 3, projectId, requestId },
        data: {
          rules: rules.map(({ ruleId }) => ({ ruleId })),
          conversations: snapshots.map((snapshot) => ({
            ...snapshot,
            snapshot: { revision: 1, scope: 'conversation' as const, startedAt: 1, throughMs: 2 },
          })),
        },
      });
    },
  });
  cleanup(() => working.stop());
  await replayDeadLetters(service.broker, QUEUES.analysis);
  await eventually(async () => expect(await statesOf(projectId)).toEqual(['succeeded: null']));
  await eventually(() => expect(told.slice(2)).toMatchObject([{ unknownRules: 0 }, { unknownRules: 0 }]));
});
