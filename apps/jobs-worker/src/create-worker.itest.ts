import { beforeEach, describe, expect, it } from '@jest/globals';
import { analysisRequested, type analysisCompleted, type ConversationSnapshot, type EnvelopeOf } from '@clew/contracts';
import { systemClock } from '@clew/kernel';
import { consume, createPublisher, listDeadLetters, QUEUES, type Broker } from '@clew/messaging';
import { BUILT_IN_RULES, type RuleDefinition } from '@clew/rules';
import type { Part } from '@clew/runtime';
import { createTcpFault, eventually, silentLogger, useTestEnvironment, type TcpFault, useCleanup } from '@clew/testing';
import { openTestBroker, openTestHost } from '@clew/testing-host';
import { WorkerConfig } from './config.ts';
import { createWorker } from './create-worker.ts';
import { correctedConversation, requestOf, ruleThat, type AnalysisRequest } from './test-support/conversations.ts';
import { overloaded, startWarehouse, type LoopbackWarehouse } from './test-support/warehouse.ts';

type Result = EnvelopeOf<typeof analysisCompleted>;

const environment = useTestEnvironment();
const logger = silentLogger();
const LONG = { timeoutMs: 15_000 };
const cleanup = useCleanup();
let warehouse: LoopbackWarehouse;
let broker: Broker;
/** What the workers published, in the order in which it came. */
let results: Result[];

beforeEach(async () => {
  warehouse = await startWarehouse();
  cleanup(() => warehouse.stop());
  broker = await openBroker();
  const received: Result[] = [];
  results = received;
  const handle = async (result: Result) => void received.push(result);
  const consumer = consume({ broker, queue: QUEUES.analysisResults, logger, handle });
  cleanup(() => consumer.stop());
});

async function openBroker(): Promise<Broker> {
  const opened = await openTestBroker(environment);
  cleanup(() => opened.close());
  return opened;
}

interface WorkerOptions {
  rules?: readonly RuleDefinition[];
  foreignKey?: boolean;
  maxBeatAgeMs?: number;
  amqpUrl?: string;
}

async function startWorker(options: WorkerOptions = {}): Promise<{ url: string; parts: readonly Part[] }> {
  const host = await openTestHost(environment, {
    ...{ name: 'jobs-worker', config: WorkerConfig, clock: systemClock },
    variables: { MAX_BEAT_AGE_MS: String(options.maxBeatAgeMs ?? 300_000) },
    ...(options.amqpUrl === undefined ? {} : { amqpUrl: options.amqpUrl }),
  });
  const { rules = BUILT_IN_RULES } = options;
  const served = await host.serve(createWorker({ ...host, warehouse: warehouse.clientFor(options), rules }));
  cleanup(async () => {
    await served.stop();
    await host.close();
  });
  return { url: served.url, parts: served.start() };
}

async function command(...requests: AnalysisRequest[]): Promise<void> {
  const publisher = createPublisher(broker);
  for (const request of requests) await publisher.publish(analysisRequested, request);
  await publisher.close();
}

/** The results of a request, once so many have come. */
async function resultsOf({ projectId }: AnalysisRequest, count = 1): Promise<Result[]> {
  return await eventually(() => {
    const own = results.filter((result) => result.projectId === projectId);
    expect(own).toHaveLength(count);
    return own;
  }, LONG);
}

function known(snapshot: ConversationSnapshot = correctedConversation()): ConversationSnapshot {
  warehouse.snapshots.set(snapshot.snapshotId, snapshot);
  return snapshot;
}

function outcomes(result: Result | undefined): Record<string, unknown> {
  return Object.fromEntries((result?.data.runs ?? []).map(({ ruleId, outcome }) => [ruleId, outcome]));
}

const nothing = ruleThat('rule_nothing', () => []);
const throwing = ruleThat('rule_throwing', () => {
  throw new Error('A case that nobody thought of');
});

describe('a command to evaluate Rules', () => {
  it('is answered with what the built-in Rules found, the snapshot that they read, and its request id', async () => {
    const snapshot = known();
    const request = requestOf(
      snapshot,
      BUILT_IN_RULES.map(({ ruleId }) => ruleId),
    );
    await startWorker();
    await command(request);
    const [result] = await resultsOf(request);
    const { snapshotId, revision, scope, startedAt, throughMs, conversationId } = snapshot;
    expect(result).toMatchObject({
      requestId: request.requestId,
      data: { conversationId, snapshot: { snapshotId, revision, scope, startedAt, throughMs } },
    });
    expect(result?.data.runs.map(({ runId }) => runId)).toEqual(request.data.runs.map(({ runId }) => runId));
    expect(result?.data.runs.map(({ outcome }) => outcome.status)).toEqual(BUILT_IN_RULES.map(() => 'succeeded'));
    const found = Object.values(outcomes(result)) as {
      detections: { ruleKey: string; anchor: { stepIndex: number } }[];
    }[];
    expect(found.flatMap(({ detections }) => detections)).toMatchObject([
      { ruleKey: 'user_correction', anchor: { stepIndex: 2 } },
    ]);
    expect(warehouse.asked).toEqual([request.requestId]);
  });

  it('has the same result id however often it comes, and another one for other runs', async () => {
    const snapshot = known();
    const [one, other] = [requestOf(snapshot, ['rule_nothing']), requestOf(snapshot, ['rule_nothing', 'rule_else'])];
    await startWorker({ rules: [nothing] });
    await command(one, one, other);
    const [first, second, third] = await resultsOf(one, 3);
    expect(second?.id).toBe(first?.id);
    expect(third?.id).not.toBe(first?.id);
  });

  it('has its runs skipped when the snapshot no longer exists', async () => {
    const request = requestOf(correctedConversation(), ['rule_nothing']);
    await startWorker({ rules: [nothing] });
    await command(request);
    const [result] = await resultsOf(request);
    expect(outcomes(result)).toEqual({
      rule_nothing: { status: 'skipped', reason: 'The snapshot no longer exists' },
    });
    expect(result?.data.snapshot.snapshotId).toBe(request.data.snapshotId);
  });

  it('loses only the run of a Rule that throws, and skips a Rule that the worker does not know', async () => {
    const request = requestOf(known(), ['rule_nothing', 'rule_throwing', 'rule_unknown', 'rule_nothing']);
    await startWorker({ rules: [nothing, throwing] });
    await command(request);
    const [result] = await resultsOf(request);
    expect(outcomes(result)).toEqual({
      rule_nothing: { status: 'succeeded', detections: [] },
      rule_throwing: { status: 'failed', reason: 'The rule could not be evaluated' },
      rule_unknown: { status: 'skipped', reason: 'This worker does not know the rule' },
    });
    expect(JSON.stringify(result)).not.toContain('nobody thought of');
  });
});

describe('when the warehouse', () => {
  it('is overloaded, the command waits and is tried again', async () => {
    const request = requestOf(known(), ['rule_nothing']);
    warehouse.before = () => {
      if (warehouse.asked.length < 3) overloaded();
    };
    await startWorker({ rules: [nothing] });
    await command(request);
    expect(outcomes((await resultsOf(request))[0])).toMatchObject({ rule_nothing: { status: 'succeeded' } });
    expect(warehouse.asked).toHaveLength(3);
  });

  it.each([
    ['stays away', {}, () => overloaded()],
    ['does not know the worker’s key', { foreignKey: true }, () => undefined],
    [
      'answers against the contract',
      {},
      () => warehouse.snapshots.forEach((each) => Object.assign(each, { messages: 7 })),
    ],
  ])('%s, the command ends with the dead letters and no result is made up', async (_name, options, before) => {
    const request = requestOf(known(), ['rule_nothing']);
    warehouse.before = before;
    await startWorker({ rules: [nothing], ...options });
    await command(request);
    await eventually(async () => {
      const dead = await listDeadLetters(broker, QUEUES.analysis);
      expect(dead.map(({ id, reason, attempt }) => ({ id, reason, attempt }))).toContainEqual({
        id: request.id,
        reason: 'attempts-exhausted',
        attempt: 3,
      });
    }, LONG);
    expect(results).toEqual([]);
  });
});

describe('a result', () => {
  it('comes once more with the same id when the worker did not hear that it was taken', async () => {
    const { hostname: host, port } = new URL(environment.amqpUrl);
    const fault: TcpFault = await createTcpFault({ target: { host, port: Number(port) } });
    cleanup(() => fault.close());
    const request = requestOf(known(), ['rule_nothing']);
    await startWorker({ rules: [nothing], amqpUrl: fault.through(environment.amqpUrl) });
    const lost = fault.cutAfter(request.data.runs[0]!.runId);
    await command(request);
    await lost;
    const [first, second] = await resultsOf(request, 2);
    expect(second?.id).toBe(first?.id);
  });
});

describe('health', () => {
  async function probe(url: string, path = '/healthz') {
    const response = await fetch(`${url}${path}`);
    return { status: response.status, type: response.headers.get('content-type'), body: await response.text() };
  }

  it('is plain text while the worker waits and while it works', async () => {
    const { url } = await startWorker();
    expect(await probe(url)).toEqual({ status: 200, type: 'text/plain; charset=utf-8', body: 'healthz: ok' });
    expect(await probe(url, '/readyz')).toMatchObject({ status: 200 });
    expect(await probe(url, '/metrics')).toMatchObject({ status: 200 });
    expect(await probe(url, '/v1/me')).toMatchObject({ status: 404 });
  });

  it('is 503 once the work in hand has not shown itself for too long, and 200 when it goes on', async () => {
    const request = requestOf(known(), ['rule_nothing']);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    warehouse.before = () => released;
    const { url } = await startWorker({ rules: [nothing], maxBeatAgeMs: 2_000 });
    await command(request);
    await eventually(async () => expect(await probe(url)).toMatchObject({ status: 503, body: 'healthz: stuck' }));
    release();
    await resultsOf(request);
    await eventually(async () => expect(await probe(url)).toMatchObject({ status: 200 }));
  });
});
