import { beforeEach, expect, it } from '@jest/globals';
import type { analysisRequested } from '@clew/contracts';
import { analysisCompleted, conversationReady } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { consume, listDeadLetters, QUEUES, replayDeadLetters, startRelay } from '@clew/messaging';
import { eventually, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import { startTestService, type TestService } from '../test-support/service.ts';
import { runModel } from './runs.store.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let service: TestService;

beforeEach(async () => {
  service = await startTestService(environment, { retryDelaysMs: [30] });
  cleanup(() => service.stop());
  service.start();
  const relay = startRelay({ database: service.database, publisher: service.publisher, logger });
  cleanup(() => relay.stop());
});

/** A conversation that has become ready; its runs are queued. */
async function becomeReady(): Promise<string> {
  const conversationId = newId('conv');
  const { type, version } = conversationReady;
  const data = {
    ...{ conversationId, snapshotId: derivedId('cesr', conversationId), contentHash: 'a', revision: 1 },
    ...{ startedAt: 1, lastActivityAt: 2, messageCount: 1, traceIds: [] },
  };
  const envelope = { id: newId('evt'), type, version, occurredAt: 2, projectId: newId('prj'), requestId: null, data };
  await service.publisher.publish(conversationReady, envelope);
  return conversationId;
}

async function statesOf(conversationId: string): Promise<unknown[]> {
  const runs = await runModel(service.database.connection).find({ conversationId }).lean();
  return [...new Set(runs.map(({ state, reason }) => `${state}: ${String(reason)}`))];
}

it('the runs of a command that ends in the dead letters fail with the reason, and count once it is sent again', async () => {
  const failing = consume({
    ...{ broker: service.broker, queue: QUEUES.analysis, logger },
    handle: async () => {
      throw new Error('the worker cannot');
    },
  });
  const conversationId = await becomeReady();
  await eventually(async () =>
    expect(await statesOf(conversationId)).toEqual(['failed: The analysis was given up after its last attempt']),
  );
  await failing.stop();
  expect(await listDeadLetters(service.broker, QUEUES.analysis)).toHaveLength(1);

  const working = consume<typeof analysisRequested>({
    ...{ broker: service.broker, queue: QUEUES.analysis, logger },
    async handle({ projectId, requestId, data: { snapshotId, runs } }) {
      const { type, version } = analysisCompleted;
      await service.publisher.publish(analysisCompleted, {
        ...{ id: newId('evt'), type, version, occurredAt: 3, projectId, requestId },
        data: {
          conversationId,
          snapshot: { snapshotId, revision: 1, scope: 'conversation', startedAt: 1, throughMs: 2 },
          runs: runs.map(({ runId, ruleId }) => ({
            runId,
            ruleId,
            outcome: { status: 'succeeded' as const, detections: [] },
          })),
        },
      });
    },
  });
  cleanup(() => working.stop());
  await replayDeadLetters(service.broker, QUEUES.analysis);
  await eventually(async () => expect(await statesOf(conversationId)).toEqual(['succeeded: null']));
});
