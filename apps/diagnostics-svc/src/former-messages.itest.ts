import { beforeEach, describe, expect, it } from '@jest/globals';
import { analysisCompletedV1, analysisRequestedV1, conversationReadyV1 } from '@clew/contracts';
import { derivedId, newId } from '@clew/kernel';
import { declareQueue, QUEUES } from '@clew/messaging';
import { BUILT_IN_RULES, DEFAULT_RULE_CONFIGURATION } from '@clew/rules';
import { eventually, useCleanup, useTestEnvironment } from '@clew/testing';
import { findingModel } from './findings/finding.model.ts';
import { runsOf } from './test-support/analyses.ts';
import { resultOfV1 } from './test-support/results.ts';
import { startTestService, type TestService } from './test-support/service.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
let service: TestService;

/** The queues of the version before are there, as in a broker that it has used. */
beforeEach(async () => {
  service = await startTestService(environment);
  cleanup(() => service.stop());
  const channel = await service.broker.openChannel();
  for (const queue of [QUEUES.conversationReadyV1, QUEUES.analysisResultsV1, QUEUES.analysisV1]) {
    await declareQueue(channel, queue);
  }
  await declareQueue(channel, QUEUES.analysisGivenUpV1);
  await channel.close();
  service.start();
});

function envelope(projectId: string) {
  return { id: newId('evt'), version: 1, occurredAt: 1, projectId, requestId: null };
}

async function statesOf(projectId: string): Promise<string[]> {
  return (await runsOf(service.database, projectId)).map(({ state, reason }) => `${state}: ${String(reason)}`);
}

describe('a message of the version before', () => {
  it('that a conversation is ready queues its runs', async () => {
    const projectId = newId('prj');
    await service.publisher.publish(conversationReadyV1, {
      ...{ ...envelope(projectId), type: conversationReadyV1.type },
      data: {
        ...{ conversationId: 'a chat', snapshotId: derivedId('cesr', projectId), contentHash: 'hash' },
        ...{ revision: 1, startedAt: 1, lastActivityAt: 2, messageCount: 1, traceIds: [] },
      },
    });
    await eventually(async () => expect(await statesOf(projectId)).toEqual(BUILT_IN_RULES.map(() => 'queued: null')));
  });

  it('with results is applied', async () => {
    const projectId = newId('prj');
    const found = { rule_a: ['loop'], rule_b: 'failed', rule_c: 'skipped' } as const;
    await service.publisher.publish(analysisCompletedV1, resultOfV1({ projectId, found }));
    await eventually(async () =>
      expect(await statesOf(projectId)).toEqual(['succeeded: null', 'failed: it failed', 'skipped: it skipped']),
    );
    const findings = await findingModel(service.database.connection).find({ projectId }).lean();
    expect(findings).toMatchObject([{ title: 'loop', occurrenceCount: 1 }]);
  });

  it('that was given up fails its runs', async () => {
    const projectId = newId('prj');
    const snapshotId = derivedId('cesr', projectId);
    const command = {
      ...{ ...envelope(projectId), type: analysisRequestedV1.type },
      data: {
        ...{ conversationId: 'a chat', snapshotId },
        runs: ['rule_a', 'rule_b'].map((ruleId) => ({
          ...{ runId: derivedId('run', projectId, 'a chat', snapshotId, ruleId), ruleId },
          configuration: DEFAULT_RULE_CONFIGURATION,
        })),
      },
    };
    await service.publisher.publishRaw('clew.dead', QUEUES.analysisV1.name, Buffer.from(JSON.stringify(command)));
    await eventually(async () =>
      expect(await statesOf(projectId)).toEqual(
        Array(2).fill('failed: The analysis was given up after its last attempt'),
      ),
    );
  });
});
