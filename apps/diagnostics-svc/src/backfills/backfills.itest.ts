import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysisRequested, ruleBackfillEnded, type RequestedRuleBackfill, type RuleBackfill } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { BUILT_IN_RULES } from '@clew/rules';
import { eventually, explainSent, monitored, useCleanup, useTestEnvironment } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { runsOf } from '../test-support/analyses.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { readyConversations } from '../test-support/warehouse.ts';
import { newBackfill } from './backfill.ts';
import { backfillCollection } from './index.ts';

const { ruleId: RULE_ID } = BUILT_IN_RULES[0]!;
const FIRST_AT = 1_700_000_000_000;
const PAGE_SIZE = 3;
const PACE = { pageSize: PAGE_SIZE, pollMs: 20, leaseMs: 30_000 };

const environment = useTestEnvironment();
const cleanup = useCleanup();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, { backfills: PACE, mongoUrl: monitored(environment.mongoUrl) });
  service.start();
});

afterAll(() => service.stop());

/** Makes a project in which that many conversations were ready, a second apart. */
function projectOf(count: number): string {
  const projectId = newId('prj');
  service.warehouse.ready.set(projectId, readyConversations(count, FIRST_AT));
  return projectId;
}

interface Request {
  key?: string;
  ruleId?: string;
  fields?: object;
  of?: TestService;
}

function request(projectId: string, { key, ruleId = RULE_ID, fields = {}, of = service }: Request = {}) {
  return of.call<RequestedRuleBackfill & { code?: string }>({
    ...{ method: 'POST', projectId, path: `/rules/${ruleId}/backfill-requests` },
    body: { startMs: FIRST_AT, endMs: FIRST_AT + 86_400_000, ...fields },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
}

async function read(projectId: string, backfillId: string) {
  return (await service.call<RuleBackfill>({ projectId, path: `/rules/${RULE_ID}/backfill-requests/${backfillId}` }))
    .body;
}

async function ended(projectId: string, backfillId: string): Promise<RuleBackfill> {
  return await eventually(async () => {
    const backfill = await read(projectId, backfillId);
    if (backfill.endedAt === null) throw new Error(`The backfill is ${backfill.state}`);
    return backfill;
  });
}

/** Requests a backfill, and waits for its end. */
async function backfilled(projectId: string, asked: Request = {}): Promise<RuleBackfill> {
  const { status, body } = await request(projectId, asked);
  expect(status).toBe(202);
  return await ended(projectId, body.backfillId);
}

const commandsOf = (projectId: string) => emittedMessages(service.database, analysisRequested, projectId);

/** Conversations in the order in which their runs were queued. */
async function commandedConversations(projectId: string): Promise<string[]> {
  return (await commandsOf(projectId)).flatMap(({ data }) =>
    data.snapshots.map(({ conversationId }) => conversationId),
  );
}

const chats = (count: number, first = 0) => Array.from({ length: count }, (_, index) => `chat ${first + index}`);

describe('a backfill of a Rule', () => {
  it('is 202 with its id and bound, and queues a run of that Rule alone on each conversation, the oldest first', async () => {
    const projectId = projectOf(8);
    const { status, body } = await request(projectId);
    expect({ status, body }).toEqual({
      status: 202,
      body: {
        ...{ backfillId: expect.stringMatching(/^rbfill_[0-9A-Z]{26}$/), scheduled: true },
        ...{ maxConversations: 10_000, runsQueued: expect.any(Number) },
      },
    });
    expect(await ended(projectId, body.backfillId)).toMatchObject({
      ...{ backfillId: body.backfillId, ruleId: RULE_ID, state: 'completed' },
      ...{ conversationsSeen: 8, runsQueued: 8, endedAt: service.clock.now() },
    });
    const told = await emittedMessages(service.database, ruleBackfillEnded, projectId);
    expect(told.map(({ data }) => data)).toMatchObject([{ backfillId: body.backfillId, state: 'completed' }]);
    expect(await commandedConversations(projectId)).toEqual(chats(8));
    expect(new Set((await runsOf(service.database, projectId)).map(({ ruleId }) => ruleId))).toEqual(
      new Set([RULE_ID]),
    );
  });

  it('takes conversations by their last activity, both ends of the window inclusive', async () => {
    const projectId = projectOf(8);
    const fields = { startMs: FIRST_AT + 2_000, endMs: FIRST_AT + 5_000 };
    expect(await backfilled(projectId, { fields })).toMatchObject({ conversationsSeen: 4, runsQueued: 4 });
    expect(await commandedConversations(projectId)).toEqual(chats(4, 2));
  });

  it.each([1, PAGE_SIZE, PAGE_SIZE + 1, 8, 100])(
    'takes at most %i conversations where that is its bound',
    async (bound) => {
      const projectId = projectOf(8);
      const taken = Math.min(bound, 8);
      const backfill = await backfilled(projectId, { fields: { maxConversations: bound } });
      expect(backfill).toMatchObject({ maxConversations: bound, conversationsSeen: taken, runsQueued: taken });
      expect(await commandedConversations(projectId)).toEqual(chats(taken));
    },
  );

  it('ends at once in a window without conversations', async () => {
    expect(await backfilled(projectOf(0))).toMatchObject({ state: 'completed', conversationsSeen: 0, runsQueued: 0 });
  });

  it('leaves out conversations whose words have expired, so that what was found in them stays', async () => {
    const projectId = projectOf(2);
    const [expired, other] = readyConversations(2, FIRST_AT);
    service.warehouse.ready.set(projectId, [{ ...expired!, messageCount: 0 }, other!]);
    expect(await backfilled(projectId)).toMatchObject({ conversationsSeen: 2, runsQueued: 1 });
    expect(await commandedConversations(projectId)).toEqual(['chat 1']);
  });

  it('hands its request id to the warehouse and to the workers', async () => {
    const projectId = projectOf(1);
    const { headers, body } = await request(projectId);
    await ended(projectId, body.backfillId);
    const requestId = headers.get('x-service-request-id');
    expect(service.warehouse.requestIds).toContain(requestId);
    expect((await commandsOf(projectId)).map((command) => command.requestId)).toEqual([requestId]);
  });

  it('runs also while automatic scheduling is off', async () => {
    const projectId = projectOf(2);
    const off = { automaticSchedulingEnabled: false };
    await service.call({ method: 'PATCH', projectId, path: '/settings', body: off });
    expect(await backfilled(projectId)).toMatchObject({ state: 'completed', runsQueued: 2 });
  });

  it('queues nothing that was run already, and all of it again once the configuration is another one', async () => {
    const projectId = projectOf(4);
    await backfilled(projectId);
    expect(await backfilled(projectId)).toMatchObject({ conversationsSeen: 4, runsQueued: 0 });
    const body = { configuration: { minSignalScore: 0.25 } };
    await service.call({ method: 'PATCH', projectId, path: `/rules/${RULE_ID}`, body });
    expect(await backfilled(projectId)).toMatchObject({ conversationsSeen: 4, runsQueued: 4 });
    const commands = (await commandsOf(projectId)).slice(-2);
    for (const { data } of commands) {
      expect(data.rules).toEqual([
        { ruleId: RULE_ID, revision: '2', configuration: expect.objectContaining({ minSignalScore: 0.25 }) },
      ]);
    }
  });

  it.each([
    ['a start that is its end', { startMs: 5, endMs: 5 }, 'body.startMs'],
    ['a start after its end', { startMs: 6, endMs: 5 }, 'body.startMs'],
    ['no start', { startMs: undefined }, 'body.startMs'],
    ['a text for a time', { endMs: '5' }, 'body.endMs'],
    ['a fraction of a millisecond', { startMs: 0.5 }, 'body.startMs'],
    ['a negative time', { startMs: -1 }, 'body.startMs'],
    ['no conversations', { maxConversations: 0 }, 'body.maxConversations'],
    ['100,001 conversations', { maxConversations: 100_001 }, 'body.maxConversations'],
    ['an unknown field', { ruleIds: [] }, 'body'],
  ])('with %s is 400', async (_name, fields, path) => {
    expect(await request(projectOf(0), { fields })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: expect.arrayContaining([{ path, message: expect.any(String) }]) },
    });
  });

  it.each([`rule_${'0'.repeat(26)}`, 'rule_x'])('of %s is 404 DIAGNOSTIC_RULE_NOT_FOUND', async (ruleId) => {
    expect(await request(projectOf(0), { ruleId })).toMatchObject({
      status: 404,
      body: { code: 'DIAGNOSTIC_RULE_NOT_FOUND' },
    });
  });

  it('of another project or Rule is 404, as is what is no id', async () => {
    const projectId = projectOf(0);
    const { backfillId } = await backfilled(projectId);
    const path = `/rules/${BUILT_IN_RULES[1]!.ruleId}/backfill-requests/${backfillId}`;
    const calls = [
      { projectId, path },
      { projectId: newId('prj'), path: `/rules/${RULE_ID}/backfill-requests/${backfillId}` },
      { projectId, path: `/rules/${RULE_ID}/backfill-requests/x` },
    ];
    for (const call of calls) expect((await service.call(call)).status).toBe(404);
  });
});

describe('the backfills of a project', () => {
  const list = (projectId: string, query = '') =>
    service.call<{ backfills: RuleBackfill[]; nextCursor: string | null; code?: string }>({
      projectId,
      path: `/backfill-requests${query}`,
    });
  const cancel = (projectId: string, backfillId: string) =>
    service.call<RuleBackfill>({ method: 'POST', projectId, path: `/backfill-requests/${backfillId}/cancel` });

  it('are listed by state and Rule, newest first, page by page, with a cursor for these filters alone', async () => {
    const projectId = projectOf(1);
    const [first, second] = [await backfilled(projectId), await backfilled(projectId)];
    const other = (await request(projectId, { ruleId: BUILT_IN_RULES[1]!.ruleId })).body.backfillId;
    service.clock.advance(1);
    const ids = async (query: string) =>
      (await list(projectId, query)).body.backfills.map(({ backfillId }) => backfillId);
    expect((await ids(`?state=completed,failed&ruleId=${RULE_ID}`)).toSorted()).toEqual(
      [first.backfillId, second.backfillId].toSorted(),
    );
    expect(await ids(`?ruleId=${BUILT_IN_RULES[1]!.ruleId}`)).toEqual([other]);
    expect(await ids('?state=failed,cancelled')).toEqual([]);
    await eventually(async () => expect(await ids('?state=completed&limit=500')).toHaveLength(3));
    const page = await list(projectId, '?limit=1&state=completed');
    expect(page.body.nextCursor).toEqual(expect.any(String));
    const cursor = encodeURIComponent(page.body.nextCursor!);
    expect(await ids(`?limit=1&state=completed&cursor=${cursor}`)).toHaveLength(1);
    for (const query of [`?state=failed&cursor=${cursor}`, '?state=done', '?limit=501']) {
      expect(await list(projectId, query)).toMatchObject({ status: 400, body: { code: 'INVALID_FILTER' } });
    }
  });

  it('are read from an index, whatever the filters', async () => {
    const projectId = newId('prj');
    const lists = ['', '?state=completed', `?ruleId=${RULE_ID}`, `?ruleId=${RULE_ID}&state=scheduled,running`];
    const explained = await explainSent(service.database, async () => {
      for (const query of lists) expect((await list(projectId, query)).status).toBe(200);
    });
    expect(explained.length).toBeGreaterThanOrEqual(lists.length);
  });

  it('end by a cancel as they are, which is safe to repeat and queues nothing more', async () => {
    const projectId = projectOf(7);
    service.warehouse.fail();
    cleanup(async () => service.warehouse.fail(false));
    const { body } = await request(projectId);
    const [one, other] = await Promise.all([cancel(projectId, body.backfillId), cancel(projectId, body.backfillId)]);
    expect([one.status, other.status]).toEqual([200, 200]);
    const ended = { backfillId: body.backfillId, state: 'cancelled', runsQueued: 0, endedAt: service.clock.now() };
    expect([one.body, other.body]).toMatchObject([ended, ended]);
    service.warehouse.fail(false);
    service.clock.advance(600_000);
    expect(await cancel(projectId, body.backfillId)).toMatchObject({ status: 200, body: ended });
    const told = await emittedMessages(service.database, ruleBackfillEnded, projectId);
    expect(told.map(({ data }) => data)).toMatchObject([{ backfillId: body.backfillId, state: 'cancelled' }]);
    expect(await commandsOf(projectId)).toEqual([]);
    const completed = await backfilled(projectId);
    expect((await cancel(projectId, completed.backfillId)).body).toMatchObject({ state: 'completed', runsQueued: 7 });
  });

  it('end by a cancel while a page of theirs is under way, which queues nothing then', async () => {
    const projectId = projectOf(7);
    const release = service.warehouse.hold();
    cleanup(async () => release());
    const { body } = await request(projectId);
    const rows = backfillCollection(service.database.connection);
    await eventually(async () =>
      expect(await rows.findOne({ _id: body.backfillId, claim: { $ne: null } })).not.toBeNull(),
    );
    await cancel(projectId, body.backfillId);
    release();
    await eventually(async () => expect(await rows.findOne({ _id: body.backfillId, claim: null })).not.toBeNull());
    expect(await read(projectId, body.backfillId)).toMatchObject({ state: 'cancelled', runsQueued: 0 });
    expect(await commandsOf(projectId)).toEqual([]);
  });

  it('of another project, and what is none, are 404', async () => {
    const projectId = projectOf(0);
    const { backfillId } = await backfilled(projectId);
    for (const [owner, id] of [
      [newId('prj'), backfillId],
      [projectId, 'x'],
    ] as const) {
      expect((await cancel(owner, id)).status).toBe(404);
    }
  });
});

describe('an Idempotency-Key', () => {
  it('names one backfill for a Rule and a window, whose first bound stands', async () => {
    const projectId = projectOf(4);
    const first = await request(projectId, { key: 'monday', fields: { maxConversations: 2 } });
    await ended(projectId, first.body.backfillId);
    const again = await request(projectId, { key: '"monday"', fields: { maxConversations: 3 } });
    expect(again).toMatchObject({
      status: 202,
      body: { backfillId: first.body.backfillId, scheduled: true, maxConversations: 2, runsQueued: 2 },
    });
    expect(await backfillCollection(service.database.connection).countDocuments({ projectId })).toBe(1);
  });

  it('makes one of many requests at once', async () => {
    const projectId = projectOf(4);
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(projectId, { key: 'at once' })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.backfillId}`)).size).toBe(1);
    expect(await backfillCollection(service.database.connection).countDocuments({ projectId })).toBe(1);
    await ended(projectId, answers[0]!.body.backfillId);
  });

  it('names another backfill for another window, Rule or project; without one each request is its own', async () => {
    const [projectId, other] = [projectOf(0), projectOf(0)];
    const key = 'monday';
    const ids = [
      await request(projectId, { key }),
      await request(projectId, { key, fields: { endMs: FIRST_AT + 1 } }),
      await request(projectId, { key, ruleId: BUILT_IN_RULES[1]!.ruleId }),
      await request(other, { key }),
      await request(projectId),
      await request(projectId),
    ].map(({ body }) => body.backfillId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(['""', 'x'.repeat(256)])('that is none is 400: %s', async (key) => {
    expect(await request(projectOf(0), { key })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_IDEMPOTENCY_KEY' },
    });
  });
});

describe('a Rule that is off', () => {
  const switched = (projectId: string, enabled: boolean) =>
    service.call({ method: 'PATCH', projectId, path: `/rules/${RULE_ID}`, body: { enabled } });

  it('has no new backfill: 409, and nothing is queued', async () => {
    const projectId = projectOf(2);
    await switched(projectId, false);
    expect(await request(projectId)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await commandsOf(projectId)).toEqual([]);
    await switched(projectId, true);
    expect(await backfilled(projectId)).toMatchObject({ runsQueued: 2 });
  });

  it('ends the backfill that is under way as cancelled', async () => {
    const projectId = projectOf(2);
    service.warehouse.fail();
    cleanup(async () => service.warehouse.fail(false));
    const { body } = await request(projectId);
    const rows = backfillCollection(service.database.connection);
    // Its page has failed and was put off, so no claim is left that read the Rule before the switch.
    const putOff = { _id: body.backfillId, attempts: { $gt: 0 }, claim: null };
    await eventually(async () => expect(await rows.findOne(putOff)).not.toBeNull());
    await switched(projectId, false);
    service.warehouse.fail(false);
    await eventually(async () => {
      service.clock.advance(600_000);
      expect(await read(projectId, body.backfillId)).toMatchObject({ state: 'cancelled', runsQueued: 0 });
    });
    expect(await commandsOf(projectId)).toEqual([]);
  });
});

describe('a backfill that something happens to', () => {
  it('goes on once the warehouse answers again', async () => {
    const projectId = projectOf(4);
    service.warehouse.fail();
    cleanup(async () => service.warehouse.fail(false));
    const { body } = await request(projectId);
    const rows = backfillCollection(service.database.connection);
    await eventually(async () => expect((await rows.findOne({ _id: body.backfillId }))?.attempts).toBeGreaterThan(0));
    service.warehouse.fail(false);
    await eventually(async () => {
      service.clock.advance(600_000);
      expect(await read(projectId, body.backfillId)).toMatchObject({ state: 'completed', runsQueued: 4 });
    });
    expect(await commandedConversations(projectId)).toEqual(chats(4));
  });

  it('is taken over from a process that died with it, once its lease has ended, after the last page that was whole', async () => {
    const projectId = projectOf(7);
    const nowMs = service.clock.now();
    const asked = { projectId, ruleId: RULE_ID, startMs: 0, endMs: FIRST_AT + 86_400_000, maxConversations: 5 };
    const { id: _id, ...fields } = newBackfill({ ...asked, requestId: 'req_1', key: undefined }, nowMs);
    const done = { state: 'running' as const, cursor: '3', conversationsSeen: 3, runsQueued: 3 };
    const claim = { dueAt: nowMs, claim: 'of the dead', leaseUntil: nowMs + 60_000, attempts: 1 };
    await backfillCollection(service.database.connection).insertOne({ _id, ...fields, ...done, ...claim });
    service.clock.advance(60_001);
    expect(await ended(projectId, _id)).toMatchObject({ state: 'completed', conversationsSeen: 5, runsQueued: 5 });
    expect(await commandedConversations(projectId)).toEqual(chats(2, 3));
  });

  it('is worked on by two processes at a time without a doubled run', async () => {
    const other = await startTestService(environment, { backfills: PACE });
    cleanup(() => other.stop());
    const projectId = projectOf(20);
    other.warehouse.ready.set(projectId, readyConversations(20, FIRST_AT));
    other.start();
    const backfills = await Promise.all([backfilled(projectId), backfilled(projectId), backfilled(projectId)]);
    expect(backfills.reduce((sum, { runsQueued }) => sum + runsQueued, 0)).toBe(20);
    expect((await commandedConversations(projectId)).toSorted()).toEqual(chats(20).toSorted());
  });
});

describe('where the rule service is not mounted', () => {
  it('answers 503 DIAGNOSTIC_RULES_UNAVAILABLE', async () => {
    const without = await startTestService(environment, { mountRules: false });
    cleanup(() => without.stop());
    const unavailable = { status: 503, body: { code: 'DIAGNOSTIC_RULES_UNAVAILABLE' } };
    expect(await request(newId('prj'), { of: without })).toMatchObject(unavailable);
    const path = `/rules/${RULE_ID}/backfill-requests/rbfill_${'0'.repeat(26)}`;
    expect(await without.call({ path })).toMatchObject(unavailable);
  });
});
