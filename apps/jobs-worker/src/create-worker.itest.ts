import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  analysisRequested,
  type analysisCompleted,
  type CheckedExpectation,
  type ConversationSnapshot,
  type EnvelopeOf,
} from '@clew/contracts';
import { createInferenceClient } from '@clew/inference';
import { newId, systemClock } from '@clew/kernel';
import { consume, createPublisher, listDeadLetters, QUEUES, type Broker } from '@clew/messaging';
import { BUILT_IN_RULES, expectationBroken, NEGATIVE_SCORE, type RuleDefinition } from '@clew/rules';
import type { BackgroundTask } from '@clew/runtime';
import { createTcpFault, eventually, silentLogger, useTestEnvironment, type TcpFault, useCleanup } from '@clew/testing';
import { openTestBroker, openTestHost } from '@clew/testing-host';
import { WorkerConfig } from './config.ts';
import { createWorker } from './create-worker.ts';
import { correctedConversation, requestOf, ruleThat, type AnalysisRequest } from './test-support/conversations.ts';
import { absentService } from './test-support/knowledge.ts';
import { overloaded, startWarehouse, type LoopbackWarehouse } from './test-support/warehouse.ts';

type Result = EnvelopeOf<typeof analysisCompleted>;
type ConversationResult = Result['data']['conversations'][number];

const environment = useTestEnvironment();
const logger = silentLogger();
const NO_MODELS = createInferenceClient({ baseUrl: 'http://127.0.0.1:1', serviceName: 'jobs-worker', sign: () => '' });
const LONG = { timeoutMs: 15_000 };
const cleanup = useCleanup();
let warehouse: LoopbackWarehouse;
let broker: Broker;
/** Results that the workers published, in the order of their arrival. */
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
  const opened = await openTestBroker(environment, { service: 'jobs-worker' });
  cleanup(() => opened.close());
  return opened;
}

interface WorkerOptions {
  rules?: readonly RuleDefinition[];
  foreignKey?: boolean;
  maxHeartbeatAgeMs?: number;
  amqpUrl?: string;
}

async function startWorker(options: WorkerOptions = {}): Promise<{ url: string; parts: readonly BackgroundTask[] }> {
  const host = await openTestHost(environment, {
    ...{ name: 'jobs-worker', config: WorkerConfig, clock: systemClock },
    variables: { MAX_HEARTBEAT_AGE_MS: String(options.maxHeartbeatAgeMs ?? 300_000) },
    ...(options.amqpUrl === undefined ? {} : { amqpUrl: options.amqpUrl }),
  });
  const { rules = BUILT_IN_RULES } = options;
  const served = await host.serve(
    createWorker({
      ...host,
      warehouse: warehouse.clientFor(options),
      diagnostics: absentService(),
      knowledge: absentService(),
      inference: NO_MODELS,
      rules,
    }),
  );
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

/** Waits for `count` results of a request's project. */
async function resultsOf({ projectId }: { projectId: string }, count = 1): Promise<Result[]> {
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

/** Outcome of each Rule, for a result with one conversation. */
function outcomes(result: Result | undefined): Record<string, unknown> {
  const { rules, conversations } = result!.data;
  const [{ snapshot, detections = [], failed = [], skipped = [] }] = conversations as [ConversationResult];
  if (snapshot === null) return { snapshot: 'gone' };
  return Object.fromEntries([
    ...rules.map(({ ruleId }) => [ruleId, detections.filter((detection) => detection.ruleId === ruleId).length]),
    ...failed.map(({ ruleId, reason }) => [ruleId, `failed: ${reason}`]),
    ...skipped.map(({ ruleId, reason }) => [ruleId, `skipped: ${reason}`]),
  ]) as Record<string, unknown>;
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
      data: {
        rules: BUILT_IN_RULES.map(({ ruleId }) => ({ ruleId })),
        conversations: [
          {
            ...{ conversationId, snapshotId, snapshot: { revision, scope, startedAt, throughMs } },
            detections: [{ ruleKey: 'user_correction', anchor: { stepIndex: 2 } }],
          },
        ],
      },
    });
    expect(Object.keys(result!.data.conversations[0]!)).not.toEqual(expect.arrayContaining(['failed', 'skipped']));
    expect(warehouse.asked).toEqual([request.requestId]);
  });

  it('goes by the scores that the project names, in Rules and in the judgement', async () => {
    const scores = [{ id: 's', name: 'csat', value: 3, source: 'user' as const, createdAt: 1 }];
    const snapshot = known({ ...correctedConversation(), scores, successScores: [{ name: 'csat', atLeast: 4 }] });
    const rule = BUILT_IN_RULES.find(({ ruleKey }) => ruleKey === NEGATIVE_SCORE)!;
    const request = requestOf(snapshot, [rule.ruleId]);
    await startWorker();
    await command(request);
    const [result] = await resultsOf(request);
    expect(outcomes(result)).toEqual({ [rule.ruleId]: 1 });
    expect(result!.data.conversations).toMatchObject([{ diagnosis: { judged: { failed: true } } }]);
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
    expect(result?.data.conversations).toEqual([{ ...request.data.snapshots[0], snapshot: null }]);
  });

  it('loses only the run of a Rule that throws, and skips a Rule that the worker does not know', async () => {
    const request = requestOf(known(), ['rule_nothing', 'rule_throwing', 'rule_unknown']);
    await startWorker({ rules: [nothing, throwing] });
    await command(request);
    const [result] = await resultsOf(request);
    expect(outcomes(result)).toEqual({
      rule_nothing: 0,
      rule_throwing: 'failed: The rule could not be evaluated',
      rule_unknown: 'skipped: This worker does not know the rule',
    });
    expect(JSON.stringify(result)).not.toContain('nobody thought of');
  });
});

describe('a command with what a project expects', () => {
  const expectation: CheckedExpectation = {
    ...{ id: `exp_${'1'.repeat(26)}`, statement: 'Never name a day', severity: 'high' },
    check: { form: 'answer_never_matches', pattern: 'Tuesday' },
  };

  it('is answered with what breaks it, under the revision that was asked for, and with the prompts that were shown', async () => {
    const [snapshot, other] = [correctedConversation(), correctedConversation()].map((each, index, [first]) =>
      known(
        withPrompt(
          { ...each, projectId: first!.projectId, conversationId: `chat ${index}` },
          `Today is 2026-11-2${index}. Be kind.`,
        ),
      ),
    ) as [ConversationSnapshot, ConversationSnapshot];
    const request = requestOf([snapshot, other], [expectationBroken.ruleId]);
    const rules = request.data.rules.map((rule) => ({ ...rule, revision: '30001', expectations: [expectation] }));
    await startWorker();
    await command({ ...request, data: { ...request.data, rules } });
    const [result] = await resultsOf(request);
    const detections = [
      { ruleKey: 'expectation_broken', severity: 'high', anchor: { quotes: [{ quote: 'Tuesday' }] } },
    ];
    expect(result?.data).toMatchObject({
      rules: [{ ruleId: expectationBroken.ruleId, revision: '30001' }],
      // Both prompts have one hash, because the day in them is a variable of the template.
      prompts: [{ promptHash: expect.stringMatching(/^[0-9a-f]{64}$/), tools: ['ship'] }],
      conversations: [{ detections }, { detections }],
    });
    expect(Object.keys(result!.data.rules[0]!)).toEqual(['ruleId', 'revision']);
    expect(result?.data.prompts).toHaveLength(1);
  });

  function withPrompt(snapshot: ConversationSnapshot, content: string): ConversationSnapshot {
    const [first, ...rest] = snapshot.messages;
    const prompt = { ...first!, role: 'system' as const, content };
    const messages = [prompt, first!, ...rest].map((message, index) => ({ ...message, index }));
    return { ...snapshot, messages, tools: [{ name: 'ship', parameters: {} }] };
  }
});

describe('when the warehouse', () => {
  it('is overloaded, the command waits and is tried again', async () => {
    const request = requestOf(known(), ['rule_nothing']);
    warehouse.before = () => {
      if (warehouse.asked.length < 3) overloaded();
    };
    await startWorker({ rules: [nothing] });
    await command(request);
    expect(outcomes((await resultsOf(request))[0])).toEqual({ rule_nothing: 0 });
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
    const lost = fault.cutAfter(request.data.snapshots[0]!.snapshotId);
    await command(request);
    await lost;
    const [first, second] = await resultsOf(request, 2);
    expect(second?.id).toBe(first?.id);
  });
});

describe('a command of many snapshots', () => {
  let projectId: string;
  beforeEach(() => {
    projectId = newId('prj');
  });
  const manyOf = (count: number) =>
    Array.from({ length: count }, (_, index) => known(correctedConversation(projectId, `chat ${index}`)));

  it('is read in one answer and told of in one message, what no longer exists among the rest', async () => {
    const [gone, ...left] = manyOf(100);
    warehouse.snapshots.delete(gone!.snapshotId);
    const request = requestOf([gone!, ...left], ['rule_nothing']);
    await startWorker({ rules: [nothing] });
    await command(request);
    const [result] = await resultsOf(request);
    expect(warehouse.asked).toHaveLength(1);
    const told = new Map(result!.data.conversations.map((each) => [each.snapshotId, each]));
    expect([...told.keys()].toSorted()).toEqual([gone!, ...left].map(({ snapshotId }) => snapshotId).toSorted());
    expect(told.get(gone!.snapshotId)?.snapshot).toBeNull();
    expect([...told.values()].filter(({ snapshot }) => snapshot !== null)).toHaveLength(99);
  });

  it('loses only what a Rule does wrong on one of them', async () => {
    const [bad, ...others] = manyOf(5);
    const choosy = ruleThat('rule_choosy', ({ snapshotId }) => {
      if (snapshotId === bad!.snapshotId) throw new Error('A case that nobody thought of');
      return [];
    });
    const request = requestOf([bad!, ...others], ['rule_choosy', 'rule_nothing']);
    await startWorker({ rules: [choosy, nothing] });
    await command(request);
    const [result] = await resultsOf(request);
    const failed = result!.data.conversations.filter((each) => each.failed !== undefined);
    expect(failed).toMatchObject([{ snapshotId: bad!.snapshotId, failed: [{ ruleId: 'rule_choosy' }] }]);
    expect(result!.data.conversations).toHaveLength(5);
  });

  it('comes in messages of a megabyte', async () => {
    const wordy = ruleThat('rule_wordy', ({ messages: [message] }) => [
      {
        signals: [{ name: 'shown', strength: 1 }],
        signature: { names: [], text: 'words' },
        evidence: Array.from({ length: 50 }, (_, index) => ({
          ...{ kind: 'message' as const, message: message!, title: `${index}`, summary: 'x'.repeat(1_500) },
          quote: { quote: 'y'.repeat(1_500), startChar: 0, endChar: 1_500 },
        })) as never,
        narrative: { title: 'Words', summary: 'Words', causeAssessment: 'Words', remediationHint: 'Words' },
      },
    ]);
    const request = requestOf(manyOf(30), ['rule_wordy']);
    await startWorker({ rules: [wordy] });
    await command(request);
    const told = await eventually(() => {
      const own = results.filter((result) => result.projectId === projectId);
      expect(own.flatMap(({ data }) => data.conversations)).toHaveLength(30);
      return own;
    }, LONG);
    expect(told.length).toBeGreaterThan(3);
    for (const message of told) expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(1.1 * 1024 * 1024);
  });

  it('that cannot be read as a whole is told of as far as it can, and only the snapshot at fault is given up', async () => {
    const [bad, ...others] = manyOf(4);
    Object.assign(bad!, { messages: 7 });
    const request = requestOf([bad!, ...others], ['rule_nothing']);
    await startWorker({ rules: [nothing] });
    await command(request);
    const dead = await eventually(async () => {
      const letters = await listDeadLetters(broker, QUEUES.analysis);
      expect(letters.filter(({ body }) => body.includes(projectId))).toHaveLength(1);
      return letters.find(({ body }) => body.includes(projectId))!;
    }, LONG);
    const { data } = JSON.parse(dead.body) as AnalysisRequest;
    expect(data.snapshots.map(({ snapshotId }) => snapshotId)).toEqual([bad!.snapshotId]);
    const evaluated = results.flatMap((result) => result.data.conversations.map(({ snapshotId }) => snapshotId));
    expect(new Set(evaluated)).toEqual(new Set(others.map(({ snapshotId }) => snapshotId)));
  });

  it('that has ended a worker is split, so that what ends workers is given up alone', async () => {
    const [poison, ...others] = manyOf(4);
    const request = requestOf([poison!, ...others], ['rule_nothing']);
    const { hostname: host, port } = new URL(environment.amqpUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    cleanup(() => fault.close());
    // To the broker, a killed process is one whose connections end and whose deliveries stay unacknowledged.
    const deadly = ruleThat('rule_nothing', ({ snapshotId }) => {
      if (snapshotId !== poison!.snapshotId) return [];
      fault.block();
      fault.unblock();
      return [];
    });
    await startWorker({ rules: [deadly], amqpUrl: fault.through(environment.amqpUrl) });
    await command(request);
    const dead = await eventually(async () => {
      const letters = await listDeadLetters(broker, QUEUES.analysis);
      expect(letters.filter(({ body }) => body.includes(projectId))).toHaveLength(1);
      return letters.find(({ body }) => body.includes(projectId))!;
    }, LONG);
    const { data } = JSON.parse(dead.body) as AnalysisRequest;
    expect(data.snapshots.map(({ snapshotId }) => snapshotId)).toEqual([poison!.snapshotId]);
    await eventually(() => {
      const evaluated = results.flatMap((result) => result.data.conversations.map(({ snapshotId }) => snapshotId));
      expect(evaluated).toEqual(expect.arrayContaining(others.map(({ snapshotId }) => snapshotId)));
    }, LONG);
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
    const { url } = await startWorker({ rules: [nothing], maxHeartbeatAgeMs: 2_000 });
    await command(request);
    await eventually(async () => expect(await probe(url)).toMatchObject({ status: 503, body: 'healthz: stuck' }));
    release();
    await resultsOf(request);
    await eventually(async () => expect(await probe(url)).toMatchObject({ status: 200 }));
  });
});
