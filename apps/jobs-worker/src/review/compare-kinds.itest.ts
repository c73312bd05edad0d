import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  kindComparisonRequested,
  type ComparedKind,
  type EnvelopeOf,
  type kindComparisonCompleted,
} from '@clew/contracts';
import { createInferenceClient } from '@clew/inference';
import { newId, systemClock } from '@clew/kernel';
import { consume, createPublisher, QUEUES, type Broker } from '@clew/messaging';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import { openTestBroker, openTestHost } from '@clew/testing-host';
import {
  dataBlocksOf,
  rateLimited,
  startProvider,
  UNUSABLE_ANSWERS,
  type ScriptedProvider,
} from '@clew/testing/provider';
import { WorkerConfig } from '../config.ts';
import { createWorker } from '../create-worker.ts';
import { absentService } from '../test-support/knowledge.ts';

type Result = EnvelopeOf<typeof kindComparisonCompleted>;

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let provider: ScriptedProvider;
let broker: Broker;
let results: Result[];

beforeEach(async () => {
  provider = await startProvider();
  cleanup(() => provider.stop());
  broker = await openTestBroker(environment, { service: 'jobs-worker' });
  cleanup(() => broker.close());
  results = [];
  const handle = async (result: Result) => void results.push(result);
  const consumer = consume({ broker, logger, queue: QUEUES.kindComparisonResults, handle });
  cleanup(() => consumer.stop());
  const host = await openTestHost(environment, { name: 'jobs-worker', config: WorkerConfig, clock: systemClock });
  const inference = createInferenceClient({
    ...{ baseUrl: new URL(provider.url).origin, serviceName: 'jobs-worker', sign: () => 'token' },
    ...{ deadlineMs: 30_000, retryDelayMs: 1, maxConcurrentPerProvider: 8 },
  });
  const absent = { warehouse: absentService(), diagnostics: absentService(), knowledge: absentService() };
  const served = await host.serve(createWorker({ ...host, ...absent, inference, rules: BUILT_IN_RULES }));
  cleanup(async () => {
    await served.stop();
    await host.close();
  });
  served.start();
});

const kinds: ComparedKind[] = ['a', 'b', 'c'].map((id) => ({
  ...{ id, category: 'other', tool: null, kind: `kind of ${id}`, title: `title of ${id}`, isNew: id !== 'a' },
}));

/** Asks for a comparison as the owner does, and returns what the worker says. */
async function compared(): Promise<Result['data']> {
  const { type, version } = kindComparisonRequested;
  const projectId = newId('prj');
  const publisher = createPublisher(broker);
  await publisher.publish(kindComparisonRequested, {
    ...{ id: `${type}:${projectId}:1`, type, version, occurredAt: 1, projectId, requestId: null },
    data: {
      ...{ comparisonId: 'kcm_1', model: 'loop/wise', round: 1, kinds },
      capabilities: { jsonMode: true, jsonSchema: true, contextLength: 32_000 },
    },
  });
  await publisher.close();
  return await eventually(() => {
    const own = results.find((result) => result.projectId === projectId);
    if (own === undefined) throw new Error('There is no result yet');
    return own.data;
  });
}

describe('kinds of problems', () => {
  it('are compared in one call, and named by their ids', async () => {
    provider.script({ text: JSON.stringify({ same: [{ because: 'Both refund', numbers: [3, 1, 9] }] }) });
    expect(await compared()).toMatchObject({
      ...{ comparisonId: 'kcm_1', model: 'loop/wise', round: 1, calls: 1, newIds: ['b', 'c'] },
      outcome: { status: 'compared', same: [['c', 'a']] },
    });
    const [request] = provider.requests;
    expect(request!.headers).toMatchObject({ 'x-clew-model-purpose': 'judgement' });
    expect(dataBlocksOf(request!.body as never)).toEqual([expect.stringContaining('1. kind of a: title of a')]);
  });

  it('are left as they are when the model gives no valid answer', async () => {
    provider.script(UNUSABLE_ANSWERS.anotherShape, UNUSABLE_ANSWERS.anotherShape);
    const { outcome } = await compared();
    expect(outcome).toEqual({ status: 'failed', reason: 'The model gave no valid answer' });
  });

  it('wait for a provider that asks for a pause', async () => {
    provider.script(rateLimited(3_600));
    expect((await compared()).outcome).toMatchObject({ status: 'later', retryAfterMs: 3_600_000 });
  });
});
