import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { analysisCompleted, conversationReady, type analysisRequested } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { consume, QUEUES, startRelay } from '@clew/messaging';
import { eventually, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import { service as serviceNamed } from '@clew/testing/identities';
import { startTestService, type TestService } from '../test-support/service.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment);
  service.start();
});
afterAll(() => service.stop());

async function figures(projectId?: string) {
  const query = projectId === undefined ? '' : `?projectId=${projectId}`;
  const path = `//internal/v1/health/diagnostics${query}`;
  const { status, body } = await service.call({ path, principal: serviceNamed('gateway') });
  expect(status).toBe(200);
  const { repairs, repairShare, ...analyses } = body as Record<string, unknown>;
  const nothing = { backlog: 0, oldestAgeMs: 0, givenUp: 0 };
  expect({ repairs, repairShare }).toEqual({ repairs: nothing, repairShare: projectId && nothing });
  return analyses;
}

async function becomeReady(projectId: string, conversationId: string): Promise<void> {
  const { type, version } = conversationReady;
  const snapshotId = derivedId('cesr', projectId, conversationId);
  await service.publisher.publish(conversationReady, {
    ...{ id: newId('evt'), type, version, occurredAt: 2, projectId, requestId: null },
    data: {
      conversations: [
        {
          ...{ conversationId, snapshotId, contentHash: 'a', messagesHash: 'a' },
          ...{ revision: 1, startedAt: 1, lastActivityAt: 2, messageCount: 1, traceIds: [] },
        },
      ],
    },
  });
}

it('analyses wait for as long as no worker is there, and no longer once their results have come', async () => {
  const relay = startRelay({ database: service.database, publisher: service.publisher, logger });
  cleanup(() => relay.stop());
  const projectId = newId('prj');
  expect(await figures()).toEqual({ analyses: { backlog: 0, oldestAgeMs: 0, givenUp: 0 } });
  await becomeReady(projectId, 'one');
  await eventually(async () => expect(await figures()).toMatchObject({ analyses: { backlog: 1 } }));
  service.clock.advance(600_000);
  await becomeReady(projectId, 'another');
  await eventually(async () =>
    expect(await figures()).toEqual({ analyses: { backlog: 2, oldestAgeMs: 600_000, givenUp: 0 } }),
  );
  const analyses = { backlog: 2, oldestAgeMs: 600_000, givenUp: 0 };
  expect(await figures(projectId)).toEqual({ analyses, share: analyses });
  expect(await figures(newId('prj'))).toEqual({ analyses, share: { backlog: 0, oldestAgeMs: 0, givenUp: 0 } });

  const worker = consume<typeof analysisRequested>({
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
  cleanup(() => worker.stop());
  await eventually(async () =>
    expect(await figures()).toEqual({ analyses: { backlog: 0, oldestAgeMs: 0, givenUp: 0 } }),
  );
});
