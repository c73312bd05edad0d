import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  analysisCompleted,
  modelAvailabilityChanged,
  reviewCompleted,
  reviewRequested,
  ruleModelsNamed,
  type ConversationDiagnosis,
  type DiagnosticSettings,
  type EnvelopeOf,
  type FailureRate,
  type Finding,
  type Review,
  type ReviewDay,
  type ReviewedProblem,
} from '@clew/contracts';
import { newId } from '@clew/kernel';
import { deadLetterQueueOf, DEAD_EXCHANGE, QUEUES } from '@clew/messaging';
import { createScheduledTasks, nativeDb } from '@clew/persistence';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, storedText, useCleanup, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { analysedSnapshots } from '../test-support/analyses.ts';
import { detectionOf, resultOf, STARTED_AT, type ResultParts } from '../test-support/results.ts';
import { readyConversations } from '../test-support/warehouse.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { CONVERSATION_REVIEW, problemClusterCollection, reviewCollection } from './index.ts';

type Command = EnvelopeOf<typeof reviewRequested>;
type Outcome = EnvelopeOf<typeof reviewCompleted>['data']['outcome'];
type Reviewed = Extract<Outcome, { status: 'reviewed' }>;

const environment = useTestEnvironment();
const cleanup = useCleanup();
const [RULE] = BUILT_IN_RULES.map(({ ruleId }) => ruleId) as [string];
const DAY_MS = 24 * 3_600_000;
let service: TestService;
let projectId: string;

beforeEach(async () => {
  projectId = newId('prj');
  service = await startTestService(environment);
  cleanup(() => service.stop());
  service.modelRuntime.models.set('loop/reader', {});
  service.start();
});

async function set(body: Partial<DiagnosticSettings>): Promise<void> {
  expect((await service.call({ method: 'PATCH', projectId, path: '/settings', body })).status).toBe(200);
}

const readAll = (more: Partial<DiagnosticSettings> = {}) =>
  set({ reviewMode: 'all', reviewModel: 'loop/reader', ...more });

/** Publishes that the Rules have run, as a worker does. */
async function analysed(parts: Partial<ResultParts> = {}): Promise<void> {
  const message = resultOf({ projectId, found: { [RULE]: [] }, ...parts });
  await service.publisher.publish(analysisCompleted, message);
}

const commands = () => emittedMessages(service.database, reviewRequested, projectId);

async function commandsOnce(count: number): Promise<Command[]> {
  return await eventually(async () => {
    const sent = await commands();
    expect(sent).toHaveLength(count);
    return sent;
  });
}

function problem(overrides: Partial<ReviewedProblem> = {}): ReviewedProblem {
  return {
    ...{ category: 'wrong_argument', severity: 'high', stepIndex: 3, agent: 'support-bot', tool: 'refund' },
    sentence: 'The assistant refunded 30 instead of 20.',
    kind: 'refunds another amount than agreed',
    title: 'support-bot refunds another amount than was agreed',
    quotes: [
      { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), stepIndex: 3, quotes: [{ quote: 'refund({"amount":30})' }] },
    ],
    secondLook: 'confirmed',
    ...overrides,
  };
}

function reviewed(problems: ReviewedProblem[], more: Partial<Reviewed> = {}): Reviewed {
  return {
    status: 'reviewed',
    snapshot: { revision: 1, startedAt: STARTED_AT, throughMs: STARTED_AT + 1_000, agents: ['support-bot'] },
    ...{ wanted: 'A refund of 20', verdict: problems.length > 0 ? 'failed' : 'achieved' },
    ...{
      failureProbability: problems.length > 0 ? 0.9 : 0.1,
      decisiveStep: problems[0]?.stepIndex ?? null,
      problems,
      dropped: 0,
      refuted: 0,
      isTainted: false,
    },
    ...more,
  };
}

/** Answers a command as a worker does. */
async function answered({ id, data, requestId }: Command, outcome: Outcome, calls = 2): Promise<void> {
  const { hints: _, knownKinds: _kinds, capabilities: _capabilities, embeddingModel: _embedding, ...review } = data;
  const { type, version } = reviewCompleted;
  await service.publisher.publish(reviewCompleted, {
    ...{ id: `${type}:${id}`, type, version, occurredAt: 1, projectId, requestId },
    data: { ...review, calls, tokens: 100 * calls, outcome },
  });
}

async function read<Body>(path: string): Promise<Body> {
  const { status, body } = await service.call<Body>({ projectId, path });
  expect(status).toBe(200);
  return body;
}

const findings = async () => (await read<{ findings: Finding[] }>('/findings')).findings;
const reviews = async () => (await read<{ reviews: Review[] }>('/reviews')).reviews;
const rows = () => reviewCollection(service.database.connection).find({ projectId }).toArray();

async function reviewsOnce(count: number): Promise<Review[]> {
  return await eventually(async () => {
    const made = await reviews();
    expect(made).toHaveLength(count);
    return made;
  });
}

/** Analyses and reviews one conversation. */
async function reviewOf(conversationId: string, outcome: Reviewed, found: ResultParts['found'] = { [RULE]: [] }) {
  const before = (await commands()).length;
  await analysed({ conversationId, found });
  const sent = await commandsOnce(before + 1);
  await answered(
    sent.find(({ data }) => data.conversationId === conversationId)!,
    outcome,
  );
  await eventually(async () => expect((await reviews()).map((each) => each.conversationId)).toContain(conversationId));
}

describe('a conversation', () => {
  it('is read after its Rules, with what they found as hints, and nothing waits for it', async () => {
    await readAll();
    await analysed({ found: { [RULE]: ['loop'] } });
    const [command] = await commandsOnce(1);
    expect(await findings()).toHaveLength(1);
    expect(command!.data).toMatchObject({
      ...{ conversationId: 'conversation-1', model: 'loop/reader', accuracy: 0.9, round: 1 },
      hints: [{ stepIndex: 1, text: 'loop' }],
    });
    expect(await analysedSnapshots(service.database, projectId)).toHaveLength(1);
  });

  it('is not read where no model is named, and none is local', async () => {
    service.modelRuntime.models.set('service/auto', { resolvedModel: 'loop/reader' });
    await analysed();
    await eventually(async () => expect(await analysedSnapshots(service.database, projectId)).toHaveLength(1));
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['a local model passes the judgement test', 'self/reader'],
    ['a person named a model for adjudication', 'loop/judge'],
  ])('is read by default where %s', async (_name, model) => {
    service.modelRuntime.models.set(model, {});
    if (model.startsWith('self/')) service.modelRuntime.models.set('service/auto', { resolvedModel: model });
    else {
      const body = { configuration: { adjudicationModel: model } };
      await service.call({ method: 'PATCH', projectId, path: `/rules/${RULE}`, body });
    }
    await analysed();
    const [command] = await commandsOnce(1);
    expect(command!.data.model).toBe(model);
    expect(await rows()).toMatchObject([{ chosenBy: 'random', inclusion: 1 }]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['the project has switched it off', () => readAll({ reviewMode: 'off' })],
    [
      'its Rule is off',
      async () => {
        await readAll();
        const body = { enabled: false };
        await service.call({ method: 'PATCH', projectId, path: `/rules/${CONVERSATION_REVIEW.ruleId}`, body });
      },
    ],
  ])('is not read where %s', async (_name, prepare) => {
    await prepare();
    await analysed();
    await eventually(async () => expect(await analysedSnapshots(service.database, projectId)).toHaveLength(1));
    expect(await rows()).toEqual([]);
  });

  it('that was read has the reviewer as the source of its score, until it goes on', async () => {
    await readAll();
    await reviewOf('conversation-1', reviewed([problem()]));
    const path = '/conversations/conversation-1';
    expect(await read<ConversationDiagnosis>(path)).toMatchObject({
      score: 0.9,
      scoreSource: { kind: 'review', model: 'loop/reader', verdict: 'failed', wanted: 'A refund of 20' },
      suspects: [{ stepIndex: 3, agent: 'support-bot', score: 0.9, quotes: [{ quote: 'refund({"amount":30})' }] }],
    });
    await analysed({ snapshot: { revision: 2 }, diagnosis: { score: 0.3, suspects: [] } });
    await eventually(async () =>
      expect(await read<ConversationDiagnosis>(path)).toMatchObject({ score: 0.3, scoreSource: { kind: 'rules' } }),
    );
  });

  it('that talks to its reader is no better than the Rules say', async () => {
    await readAll();
    await analysed({ diagnosis: { score: 0.7, suspects: [] } });
    const [command] = await commandsOnce(1);
    await answered(command!, reviewed([], { isTainted: true }));
    await reviewsOnce(1);
    const diagnosis = await read<ConversationDiagnosis>('/conversations/conversation-1');
    expect(diagnosis).toMatchObject({ score: 0.7, scoreSource: { kind: 'rules' } });
  });

  it('that goes on is read again once it is quiet, and what the last reading says counts alone', async () => {
    await readAll();
    await reviewOf('conversation-1', reviewed([problem()]));
    await analysed({ snapshot: { revision: 2 } });
    await eventually(async () => expect(await rows()).toMatchObject([{ state: 'due' }]));
    expect(await commands()).toHaveLength(1);
    service.clock.advance(10 * 60_000);
    const again = (await commandsOnce(2)).find(({ data }) => data.round === 2);
    const { snapshot } = reviewed([]);
    await answered(again!, reviewed([], { snapshot: { ...snapshot, revision: 2 } }));
    await eventually(async () => expect(await findings()).toEqual([]));
    expect(await reviewsOnce(1)).toMatchObject([{ verdict: 'achieved', problemCount: 0 }]);
  });

  it('of which Rules run again on the same snapshot is not read twice', async () => {
    await readAll();
    await reviewOf('conversation-1', reviewed([]));
    await analysed({ revisions: { [RULE]: '2' } });
    await eventually(async () => expect(await analysedSnapshots(service.database, projectId)).toHaveLength(2));
    expect(await rows()).toMatchObject([{ state: 'done' }]);
    expect(await commands()).toHaveLength(1);
  });
});

it('a review that finds nothing withdraws nothing that Rules found', async () => {
  await readAll();
  const safety = detectionOf('leak', { ruleId: RULE, ruleKey: 'sensitive_data_in_output' });
  await reviewOf('conversation-1', reviewed([]), { [RULE]: [safety, 'loop'] });
  expect((await findings()).map(({ title }) => title).toSorted()).toEqual(['leak', 'loop']);
});

describe('a model that is named and away', () => {
  const HOUR_MS = 3_600_000;
  const failure = { status: 'later', reason: 'UNAVAILABLE', retryAfterMs: null, isBudget: false } as const;

  /** Waits until every review waits, with no process at it. */
  async function waits(count = 1): Promise<void> {
    await eventually(async () => {
      const now = service.clock.now();
      const waiting = (await rows()).filter(
        ({ state, dueAt, leaseUntil }) => state === 'due' && (dueAt ?? 0) > now && leaseUntil === 0,
      );
      expect(waiting).toHaveLength(count);
    });
  }

  async function isBack(): Promise<void> {
    service.modelRuntime.models.set('loop/reader', {});
    const { type, version } = modelAvailabilityChanged;
    await service.publisher.publish(modelAvailabilityChanged, {
      ...{ id: newId('req'), type, version, occurredAt: 1, projectId, requestId: null },
      data: { model: 'loop/reader', available: true, reason: null },
    });
  }

  it('is waited for with growing pauses, which is told, and its reviews go on when it is back', async () => {
    service.modelRuntime.models.delete('loop/reader');
    await readAll();
    await analysed({ conversationId: 'one' });
    const pauses: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      await waits();
      const [row] = await rows();
      pauses.push(row!.dueAt! - service.clock.now());
      service.clock.advance(pauses.at(-1)!);
    }
    expect(pauses).toEqual([10_000, 10_000, 20_000, 40_000, 80_000]);
    await waits();
    const since = service.clock.now() - 160_000;
    const { waiting } = await read<{ waiting: unknown }>('/reviews');
    expect(waiting).toEqual({ reason: 'model', since });
    expect(await read<ConversationDiagnosis>('/conversations/one')).toMatchObject({ reviewWaiting: waiting });
    expect(await commands()).toEqual([]);
    await isBack();
    const [command] = await commandsOnce(1);
    await answered(command!, reviewed([]));
    await reviewsOnce(1);
    expect((await rows())[0]).not.toHaveProperty('awaySince');
    expect(await read('/reviews')).not.toHaveProperty('waiting');
  });

  it('is waited for as well where a Rule names it for adjudication', async () => {
    const body = { configuration: { adjudicationModel: 'loop/judge' } };
    await service.call({ method: 'PATCH', projectId, path: `/rules/${RULE}`, body });
    await analysed();
    await waits();
    service.modelRuntime.models.set('loop/judge', {});
    service.clock.advance(10_000);
    expect((await commandsOnce(1))[0]!.data.model).toBe('loop/judge');
  });

  it('does not answer calls for hours: its reviews stay within the daily limit, and all are made in the end', async () => {
    await readAll({ dailyReviews: 2 });
    for (const conversationId of ['one', 'two', 'three']) await analysed({ conversationId });
    let sent = 0;
    for (let round = 0; round < 8; round += 1) {
      await eventually(async () => expect((await commands()).length).toBeGreaterThanOrEqual(sent + 2));
      const asked = (await commands()).slice(sent);
      sent += asked.length;
      expect(asked.length).toBeLessThanOrEqual(3);
      for (const command of asked) await answered(command, failure, 0);
      await eventually(async () => expect((await rows()).filter(({ state }) => state === 'asked')).toEqual([]));
      service.clock.advance(DAY_MS / 2);
    }
    for (let made = 0; made < 3; made += 1) {
      await eventually(async () => expect((await commands()).length).toBeGreaterThan(sent));
      const asked = (await commands()).slice(sent);
      sent += asked.length;
      for (const command of asked) await answered(command, reviewed([]));
      await eventually(async () => expect((await rows()).filter(({ state }) => state === 'asked')).toEqual([]));
      if ((await reviews()).length === 3) break;
      service.clock.advance(DAY_MS);
    }
    await reviewsOnce(3);
    expect((await rows()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  });

  it('and does not answer in time is left alone, and its reviews wait for the trial calls', async () => {
    await readAll();
    for (const conversationId of ['one', 'two', 'three']) await analysed({ conversationId });
    for (const command of await commandsOnce(3)) await answered(command, { ...failure, isTimeout: true }, 0);
    await waits(3);
    for (let trial = 1; trial <= 8; trial += 1) {
      service.clock.advance(HOUR_MS);
      const command = (await commandsOnce(3 + trial)).at(-1)!;
      await answered(command, { ...failure, isTimeout: true }, 0);
      await waits(3);
    }
    expect(await read('/reviews')).toMatchObject({ waiting: { reason: 'provider' } });
    service.clock.advance(HOUR_MS);
    await answered((await commandsOnce(12)).at(-1)!, reviewed([]));
    await commandsOnce(14);
  });

  it('is given up after a week; what it should have read is left to a backfill', async () => {
    service.modelRuntime.models.delete('loop/reader');
    await readAll();
    await analysed();
    await waits();
    service.clock.advance(7 * DAY_MS + 1);
    await eventually(async () => expect(await rows()).toMatchObject([{ state: 'ended' }]));
  });

  it('is waited for by another process when the one that looks is killed', async () => {
    service.modelRuntime.models.delete('loop/reader');
    await readAll();
    await analysed();
    await waits();
    // A process that has claimed the review and is killed: nothing ends the claim but its lease.
    const lost = createScheduledTasks(reviewCollection(service.database.connection), { leaseMs: 60_000 });
    const [row] = await rows();
    expect(await lost.claimOne(row!._id, row!.dueAt!)).toMatchObject({ state: 'due' });
    service.modelRuntime.models.set('loop/reader', {});
    service.clock.advance(HOUR_MS);
    const [command] = await commandsOnce(1);
    await answered(command!, reviewed([]));
    await reviewsOnce(1);
  });

  it('with the whole Model Runtime is waited for, however long that takes', async () => {
    await readAll();
    service.modelRuntime.isAway = true;
    await analysed();
    for (let attempt = 1; attempt <= 35; attempt += 1) {
      await eventually(async () => expect(await rows()).toMatchObject([{ attempts: attempt, leaseUntil: 0 }]));
      service.clock.advance(HOUR_MS);
    }
    service.modelRuntime.isAway = false;
    await commandsOnce(1);
  });
});

describe('a problem', () => {
  it('is a Finding with the quotes that prove it, its source and its cost', async () => {
    await readAll();
    await reviewOf('conversation-1', reviewed([problem()]));
    expect(await findings()).toMatchObject([
      {
        ...{ title: 'support-bot refunds another amount than was agreed', severity: 'high', diagnosticScore: 0.9 },
        summary: 'The assistant refunded 30 instead of 20.',
        metadata: { diagnosticRule: { ruleKey: 'conversation_review' } },
        diagnosticAnchor: { stepIndex: 3, quotes: [{ quote: 'refund({"amount":30})' }] },
        confidenceSource: { kind: 'review', model: 'loop/reader', secondLook: 'confirmed', calls: 2, tokens: 200 },
      },
    ]);
    const told = await analysedSnapshots(service.database, projectId);
    expect(told.at(-1)).toMatchObject({ severity: 'high', score: 0.9 });
  });

  it('that conversations tell in other words is one Finding; another problem is another one', async () => {
    await readAll();
    await reviewOf('one', reviewed([problem()]));
    await reviewOf(
      'two',
      reviewed([
        problem({ kind: 'refunds a different amount than agreed', title: 'A refund of another amount than agreed' }),
      ]),
    );
    await reviewOf(
      'three',
      reviewed([problem({ kind: 'refunds to the wrong account', title: 'A refund goes to a foreign account' })]),
    );
    const counts = (await findings()).map(({ occurrenceCount }) => occurrenceCount);
    expect(counts.toSorted()).toEqual([1, 2]);
  });

  it('that a Rule found at the same step belongs to the Finding of the Rule, with the worse severity', async () => {
    await readAll();
    const found = detectionOf('refused', { ruleId: RULE, ruleKey: 'invalid_tool_arguments', severity: 'low' });
    await reviewOf('one', reviewed([problem({ stepIndex: 1 })]), { [RULE]: [found] });
    expect(await findings()).toMatchObject([
      { title: 'refused', severity: 'high', occurrenceCount: 1, confidenceSource: { kind: 'review' } },
    ]);
  });

  it('of a category that the project switched off, or gave a severity, follows the project', async () => {
    await readAll();
    const signalOverrides = {
      wrong_argument: { enabled: true, severity: 'critical' },
      other: { enabled: false, severity: 'low' },
    };
    const path = `/rules/${CONVERSATION_REVIEW.ruleId}`;
    await service.call({ method: 'PATCH', projectId, path, body: { configuration: { signalOverrides } } });
    await reviewOf('one', reviewed([problem(), problem({ category: 'other', kind: 'something else entirely' })]));
    expect(await findings()).toMatchObject([{ severity: 'critical' }]);
  });
});

describe('a conversation that is erased', () => {
  const erase = async (conversationId: string) => {
    const path = `//internal/v1/projects/${projectId}/conversations/${conversationId}/findings`;
    const principal = { kind: 'service', id: 'telemetry-warehouse' } as const;
    expect((await service.call({ method: 'DELETE', path, projectId, principal })).status).toBe(200);
  };

  const told = (words: string) =>
    problem({
      sentence: `It refunded another amount than agreed to ${words}.`,
      kind: `refunds another amount than agreed to ${words}`,
      title: `A refund of another amount than agreed goes to ${words}`,
    });

  async function placesOf(word: string): Promise<string[]> {
    const texts = await storedText(nativeDb(service.database.connection));
    return [...texts].filter(([name, text]) => text.includes(word) && name !== 'outbox').map(([name]) => name);
  }

  it.each([
    ['gave a Finding its title', ['gone', 'kept']],
    ['showed it after another one', ['kept', 'gone']],
  ])('and %s leaves none of its words: the title is what the others show', async (_name, order) => {
    const words = new Map([
      ['gone', `zebra ${newId('prj')}`],
      ['kept', 'customers'],
    ]);
    await readAll();
    for (const name of order) await reviewOf(name, reviewed([told(words.get(name)!)]));
    expect(await findings()).toMatchObject([{ occurrenceCount: 2 }]);
    expect(await placesOf('zebra')).toEqual(
      expect.arrayContaining(['occurrences', 'problem_clusters', ...(order[0] === 'gone' ? ['findings'] : [])]),
    );
    await erase('gone');
    expect(await placesOf('zebra')).toEqual([]);
    const title = 'A refund of another amount than agreed goes to customers';
    expect(await findings()).toMatchObject([{ title, occurrenceCount: 1 }]);
    await reviewOf('later', reviewed([told('shoppers')]));
    expect(await findings()).toMatchObject([{ title, occurrenceCount: 2 }]);
    await erase('gone');
    expect(await findings()).toMatchObject([{ title, occurrenceCount: 2 }]);
  });

  it('and gave a Finding its title leaves none of its words where others showed it once', async () => {
    await readAll();
    await reviewOf('gone', reviewed([told(`zebra ${newId('prj')}`)]));
    await reviewOf('kept', reviewed([told('customers')]));
    const [finding] = await findings();
    const path = `/findings/${finding!.id}`;
    const body = { reviewStatus: 'confirmed' };
    expect((await service.call({ method: 'PATCH', projectId, path, body })).status).toBe(200);
    for (const [index, conversationId] of ['gone', 'kept'].entries()) {
      await analysed({ conversationId, snapshot: { revision: 2 } });
      await eventually(async () => expect((await rows()).filter(({ state }) => state === 'due')).toHaveLength(1));
      service.clock.advance(10 * 60_000);
      const again = (await commandsOnce(3 + index)).at(-1)!;
      await answered(again, reviewed([], { snapshot: { ...reviewed([]).snapshot, revision: 2 } }));
      await eventually(async () => expect((await rows()).filter(({ state }) => state === 'due')).toEqual([]));
      await eventually(async () => expect((await rows()).map(({ state }) => state)).toEqual(['done', 'done']));
    }
    await erase('gone');
    expect(await placesOf('zebra')).toEqual([]);
  });

  it('and alone showed a problem takes its cluster with it', async () => {
    await readAll();
    await reviewOf('gone', reviewed([told(`zebra ${newId('prj')}`)]));
    await erase('gone');
    expect(await placesOf('zebra')).toEqual([]);
    expect(await findings()).toEqual([]);
    expect(await problemClusterCollection(service.database.connection).countDocuments({ projectId })).toBe(0);
  });
});

describe('reviews', () => {
  it('are as many a day as the project allows; the rest waits, and what was not made costs nothing', async () => {
    await readAll({ dailyReviews: 2 });
    for (const conversationId of ['one', 'two', 'three']) await analysed({ conversationId });
    const [first, second] = await commandsOnce(2);
    await answered(first!, { status: 'failed', reason: 'The snapshot no longer exists' }, 0);
    await answered(second!, reviewed([]));
    await eventually(async () => expect((await rows()).filter(({ state }) => state === 'asked')).toEqual([]));
    service.clock.advance(DAY_MS);
    await commandsOnce(3);
    const { days } = await read<{ days: ReviewDay[] }>('/review-days');
    expect(days).toMatchObject([{ ready: 3, reviewed: 1, calls: 2, tokens: 200 }]);
  });

  it('of earlier conversations are asked for as a backfill, spread over the days that the limit allows', async () => {
    await set({ reviewMode: 'sampled', reviewModel: 'loop/reader', dailyReviews: 2 });
    service.warehouse.ready.set(projectId, readyConversations(3, STARTED_AT));
    const path = `/rules/${CONVERSATION_REVIEW.ruleId}/backfill-requests`;
    const body = { startMs: 0, endMs: STARTED_AT + DAY_MS, maxConversations: 5 };
    const { status, body: asked } = await service.call<{ backfillId: string; reviewDays: number }>({
      ...{ method: 'POST', projectId, path, body },
    });
    expect({ status, reviewDays: asked.reviewDays }).toEqual({ status: 202, reviewDays: 3 });
    await commandsOnce(2);
    expect(await read(`${path}/${asked.backfillId}`)).toMatchObject({
      state: 'completed',
      runsQueued: 3,
      reviewDays: 1,
    });
    expect((await rows()).map(({ chosenBy, inclusion }) => ({ chosenBy, inclusion }))).toEqual(
      Array.from({ length: 3 }, () => ({ chosenBy: 'backfill', inclusion: undefined })),
    );
  });

  it.each([
    ['nobody reads', { reviewMode: 'off' as const }],
    ['no review a day is allowed', { reviewMode: 'all' as const, reviewModel: 'loop/reader', dailyReviews: 0 }],
  ])('cannot be asked for as a backfill where %s: 409', async (_name, settings) => {
    await set(settings);
    const path = `/rules/${CONVERSATION_REVIEW.ruleId}/backfill-requests`;
    const body = { startMs: 0, endMs: 1 };
    expect(await service.call({ method: 'POST', projectId, path, body })).toMatchObject({
      ...{ status: 409, body: { code: 'CONFLICT' } },
    });
  });

  it('count as one enabled Rule where they are on', async () => {
    const body = { conversationId: 'chat', lastActivityAt: 1 };
    const request = () =>
      service.call<{ enabledRules: number }>({ method: 'POST', projectId, path: '/analysis-runs', body });
    service.warehouse.conversations.set(`${projectId}:chat`, [{ atMs: 1, traceId: '1'.repeat(32) }]);
    const before = (await request()).body.enabledRules;
    await readAll();
    expect((await request()).body.enabledRules).toBe(before + 1);
  });

  it('that a model gives up, or that become a dead letter, end without a result', async () => {
    await readAll();
    await analysed({ conversationId: 'one' });
    await analysed({ conversationId: 'two' });
    const [first, second] = await commandsOnce(2);
    await answered(first!, { status: 'failed', reason: 'The model gave no valid answer' });
    const channel = await service.broker.openChannel();
    channel.publish(DEAD_EXCHANGE, QUEUES.review.name, Buffer.from(JSON.stringify(second)), { persistent: true });
    await channel.waitForConfirms();
    await eventually(async () => expect((await rows()).map(({ state }) => state)).toEqual(['ended', 'ended']));
    await channel.purgeQueue(deadLetterQueueOf(QUEUES.review.name));
    await channel.close();
    expect(await reviews()).toEqual([]);
  });

  it('are told with the share that failed, and its interval', async () => {
    await set({ reviewMode: 'sampled', reviewModel: 'loop/reader' });
    await reviewOf('one', reviewed([problem()]));
    await reviewOf('two', reviewed([], { snapshot: { ...reviewed([]).snapshot, agents: ['other-bot'] } }));
    const window = `startMs=${STARTED_AT}&endMs=${STARTED_AT + 1}`;
    const rate = await read<FailureRate>(`/failure-rate?${window}`);
    expect(rate).toMatchObject({ rate: 0.5, reviewed: 2, of: 2, model: 'loop/reader' });
    expect(rate.low).toBeCloseTo(0.0945, 3);
    expect(rate.high).toBeCloseTo(0.9055, 3);
    expect(await read<FailureRate>(`/failure-rate?${window}&agent=other-bot`)).toMatchObject({ rate: 0, reviewed: 1 });
    expect(await read<FailureRate>('/failure-rate?startMs=0&endMs=1')).toEqual({
      ...{ rate: null, low: 0, high: 1, reviewed: 0, of: 0, model: null },
    });
  });

  it('tell which model they need, so that its provider is not removed', async () => {
    await set({ reviewModel: 'loop/reader' });
    service.clock.advance(1);
    await set({ reviewModel: null });
    const told = await emittedMessages(service.database, ruleModelsNamed, projectId);
    expect(told.map(({ data }) => data.models)).toEqual([['loop/reader'], []]);
  });

  it.each([
    ['/failure-rate', 400],
    ['/failure-rate?startMs=2&endMs=1', 400],
    ['/failure-rate?startMs=0&endMs=99999999999999', 400],
    ['/reviews?cursor=nonsense', 400],
    ['/review-days?limit=0', 400],
  ])('refuse %s with %d', async (path, status) => {
    expect(await service.call({ projectId, path })).toMatchObject({ status, body: { code: 'INVALID_FILTER' } });
  });
});
