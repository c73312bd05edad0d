import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analysisRequested, type AnalysisRuns } from '@clew/contracts';
import { newId } from '@clew/kernel';
import { BUILT_IN_RULES } from '@clew/rules';
import { createTcpFault, explainSent, monitored, useCleanup, useTestEnvironment, type TcpFault } from '@clew/testing';
import { MAX_COMPARED } from '@clew/persistence';
import { emittedMessages } from '@clew/testing-host';
import { startTestService, type TestService, type TestServiceOptions } from '../test-support/service.ts';
import { analysesOf, runsOf as runsOfProject } from '../test-support/analyses.ts';
import { createAnalysisStore } from './analyses.store.ts';
import { newAnalysis } from './analysis.ts';
import { analysisCollection, documentOf } from './analysis.model.ts';

const RULE_COUNT = BUILT_IN_RULES.length;
const FIRST_AT = 1_700_000_000_000;
const TRACES = ['1', '2', '3'].map((digit) => digit.repeat(32)) as [string, string, string];

const environment = useTestEnvironment();
const cleanup = useCleanup();
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, { mongoUrl: monitored(environment.mongoUrl) });
});

afterAll(() => service.stop());

interface Conversation {
  projectId: string;
  conversationId: string;
}

/** Conversation of three messages a second apart, each in its own trace, in a new project. */
function newConversation(of: TestService = service, conversationId = 'a chat'): Conversation {
  const projectId = newId('prj');
  of.warehouse.conversations.set(
    `${projectId}:${conversationId}`,
    TRACES.map((traceId, index) => ({ traceId, atMs: FIRST_AT + 1_000 * index })),
  );
  return { projectId, conversationId };
}

function request({ projectId, conversationId }: Conversation, fields: object = {}, of: TestService = service) {
  const body = { conversationId, lastActivityAt: FIRST_AT + 2_000, ...fields };
  return of.call({ method: 'POST', projectId, path: '/analysis-runs', body });
}

function runsOf({ projectId }: Conversation) {
  return runsOfProject(service.database, projectId);
}

function commandsOf({ projectId }: Conversation) {
  return emittedMessages(service.database, analysisRequested, projectId);
}

describe('requesting Analysis Runs', () => {
  it('answers 202 and queues one run of each enabled Rule, with one command for all of them', async () => {
    const conversation = newConversation();
    const { status, body } = await request(conversation);
    expect({ status, body }).toEqual({ status: 202, body: { enabledRules: RULE_COUNT, runsCreated: RULE_COUNT } });
    const runs = await runsOf(conversation);
    expect(runs.map(({ ruleId }) => ruleId).toSorted()).toEqual(BUILT_IN_RULES.map(({ ruleId }) => ruleId).toSorted());
    expect(new Set(runs.map(({ state, snapshotId }) => `${state} ${snapshotId}`)).size).toBe(1);
    expect(runs[0]).toMatchObject({ state: 'queued', reason: null });
    const [analysis, ...more] = await analysesOf(service.database, conversation.projectId);
    expect([analysis?.endedAt, more]).toEqual([null, []]);
    const [command, ...others] = await commandsOf(conversation);
    expect(others).toEqual([]);
    expect(command?.data).toEqual({
      rules: BUILT_IN_RULES.map(({ ruleId, defaultConfiguration: configuration }) => ({ ruleId, configuration })),
      snapshots: [{ conversationId: conversation.conversationId, snapshotId: runs[0]?.snapshotId }],
    });
  });

  it('hands its request id to the warehouse and to the workers', async () => {
    const conversation = newConversation();
    const { headers } = await request(conversation);
    const [command] = await commandsOf(conversation);
    const requestId = headers.get('x-service-request-id');
    expect([service.warehouse.requestIds.at(-1), command?.requestId]).toEqual([requestId, requestId]);
  });

  it('creates nothing for a snapshot that has its runs', async () => {
    const conversation = newConversation();
    await request(conversation);
    const again = await request(conversation);
    expect(again).toMatchObject({ status: 202, body: { enabledRules: RULE_COUNT, runsCreated: 0 } });
    expect(await runsOf(conversation)).toHaveLength(RULE_COUNT);
    expect(await commandsOf(conversation)).toHaveLength(1);
  });

  it('creates only the runs that are missing', async () => {
    const conversation = newConversation();
    await request(conversation);
    const [missing, ...others] = BUILT_IN_RULES.map(({ ruleId }) => ruleId);
    // State before that Rule existed, and with another configuration of the first one.
    const rules = others.map((ruleId, index) => (index === 0 ? `${ruleId} ${ruleId}@2` : ruleId)).join(' ');
    const { connection } = service.database;
    await analysisCollection(connection).updateOne(conversation, { $set: { rules, endedAt: 1 } });
    expect(await request(conversation)).toMatchObject({ body: { enabledRules: RULE_COUNT, runsCreated: 1 } });
    const [, second] = await commandsOf(conversation);
    expect(second?.data.rules.map(({ ruleId }) => ruleId)).toEqual([missing]);
    const states = (await runsOf(conversation)).map(({ ruleId, state }) => `${ruleId} ${state}`);
    expect(states.filter((state) => state.endsWith('queued'))).toEqual([`${missing} queued`]);
    expect(states).toHaveLength(RULE_COUNT + 1);
  });

  it('takes a later time than anything seen for the latest snapshot', async () => {
    const conversation = newConversation();
    await request(conversation);
    const later = await request(conversation, { lastActivityAt: FIRST_AT + 86_400_000 });
    expect(later).toMatchObject({ status: 202, body: { runsCreated: 0 } });
  });

  it('runs on the content up to and including the time, as a snapshot of its own', async () => {
    const conversation = newConversation();
    await request(conversation);
    const earlier = { lastActivityAt: FIRST_AT + 1_000 };
    expect(await request(conversation, earlier)).toMatchObject({ body: { runsCreated: RULE_COUNT } });
    expect(await request(conversation, { lastActivityAt: FIRST_AT + 1_999 })).toMatchObject({
      body: { runsCreated: 0 },
    });
    expect(await request(conversation, { lastActivityAt: FIRST_AT })).toMatchObject({
      body: { runsCreated: RULE_COUNT },
    });
  });

  it('narrows to the traces that are given, whatever their order and repetition', async () => {
    const conversation = newConversation();
    const [first, second, third] = TRACES;
    expect(await request(conversation, { traceIds: [first, third] })).toMatchObject({
      body: { runsCreated: RULE_COUNT },
    });
    expect(await request(conversation, { traceIds: [third, first, third] })).toMatchObject({
      body: { runsCreated: 0 },
    });
    expect(await request(conversation, { traceIds: [second] })).toMatchObject({ body: { runsCreated: RULE_COUNT } });
  });

  it('leaves out trace ids that are no strings, and does not narrow when none is left', async () => {
    const conversation = newConversation();
    await request(conversation);
    for (const traceIds of [[], [1, null, {}, ['x']], [false]]) {
      expect(await request(conversation, { traceIds })).toMatchObject({ status: 202, body: { runsCreated: 0 } });
    }
    const [first] = TRACES;
    await request(conversation, { traceIds: [first] });
    expect(await request(conversation, { traceIds: [7, first, null] })).toMatchObject({ body: { runsCreated: 0 } });
  });

  it('keeps conversations of the same name in two projects apart', async () => {
    const [one, two] = [newConversation(), newConversation()];
    expect(await request(one)).toMatchObject({ body: { runsCreated: RULE_COUNT } });
    expect(await request(two)).toMatchObject({ body: { runsCreated: RULE_COUNT } });
  });

  it('creates each run once when the same request comes many times at once', async () => {
    const conversation = newConversation();
    const answers = await Promise.all(Array.from({ length: 8 }, () => request(conversation)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
    const created = answers.map(({ body }) => Number(body['runsCreated']));
    expect(created.toSorted((left, right) => right - left)).toEqual([RULE_COUNT, 0, 0, 0, 0, 0, 0, 0]);
    expect(await runsOf(conversation)).toHaveLength(RULE_COUNT);
    expect(await commandsOf(conversation)).toHaveLength(1);
  });

  it.each(['with/slash', 'with space?&#', 'ünïcode 💬', '%2e%2e', 'a'.repeat(512)])(
    'finds a conversation named %j',
    async (name) => {
      expect(await request(newConversation(service, name))).toMatchObject({ status: 202 });
    },
  );
});

describe('the Analysis Runs of a project', () => {
  const list = (projectId: string, query = '') =>
    service.call<{ analysisRuns: AnalysisRuns[]; nextCursor: string | null }>({
      projectId,
      path: `/analysis-runs${query}`,
    });

  it('are listed by snapshot, newest first, page by page, and read alone', async () => {
    const conversation = newConversation();
    const { projectId } = conversation;
    for (const lastActivityAt of [FIRST_AT, FIRST_AT + 1_000, FIRST_AT + 2_000]) {
      service.clock.advance(1);
      await request(conversation, { lastActivityAt });
    }
    const { body } = await list(projectId);
    expect(body.analysisRuns.map(({ createdAt }) => createdAt)).toEqual(
      [0, 1, 2].map((before) => service.clock.now() - before),
    );
    const [first] = body.analysisRuns;
    expect(first).toMatchObject({
      conversationId: 'a chat',
      endedAt: null,
      snapshotId: expect.stringMatching(/^cesr_/),
    });
    expect(first?.runs).toHaveLength(RULE_COUNT);
    expect(first?.runs[0]).toMatchObject({ state: 'queued', reason: null, findingIds: [] });
    const path = `/analysis-runs/${first!.analysisId}`;
    expect((await service.call({ projectId, path })).body).toEqual(first);
    expect((await service.call({ projectId: newId('prj'), path })).status).toBe(404);
    const page = (await list(projectId, '?limit=2&conversationId=a%20chat')).body;
    const cursor = encodeURIComponent(page.nextCursor!);
    const next = (await list(projectId, `?limit=2&conversationId=a%20chat&cursor=${cursor}`)).body;
    expect([...page.analysisRuns, ...next.analysisRuns]).toEqual(body.analysisRuns);
    expect(next.nextCursor).toBeNull();
    expect((await list(projectId, `?limit=2&cursor=${cursor}`)).status).toBe(400);
    expect((await list(projectId, '?conversationId=another')).body.analysisRuns).toEqual([]);
  });

  it('are found by state, trigger and time, in any combination', async () => {
    const conversation = newConversation();
    const { projectId } = conversation;
    const ids: string[] = [];
    for (const lastActivityAt of [FIRST_AT, FIRST_AT + 1_000, FIRST_AT + 2_000]) {
      service.clock.advance(10);
      await request(conversation, { lastActivityAt });
      ids.push((await list(projectId)).body.analysisRuns[0]!.analysisId);
    }
    const [queued, completed, failed] = ids as [string, string, string];
    const documents = analysisCollection(service.database.connection);
    await documents.updateOne({ _id: completed }, { $set: { endedAt: 5 }, $unset: { queuedAt: '' } });
    const failure = { endedAt: 5, failed: [{ rule: BUILT_IN_RULES[0]!.ruleId, reason: 'broke' }] };
    await documents.updateOne({ _id: failed }, { $set: { ...failure, trigger: 'backfill' }, $unset: { queuedAt: '' } });
    const found = async (query: string) => {
      const { status, body } = await list(projectId, `?${query}`);
      expect(status).toBe(200);
      return body.analysisRuns.map(({ analysisId }) => analysisId);
    };
    const now = service.clock.now();
    const all = [failed, completed, queued];
    expect(await found('')).toEqual(all);
    expect(await found('state=queued')).toEqual([queued]);
    expect(await found('state=completed')).toEqual([completed]);
    expect(await found('state=failed,queued')).toEqual([failed, queued]);
    expect(await found('trigger=request')).toEqual([completed, queued]);
    expect(await found('trigger=backfill,automatic')).toEqual([failed]);
    expect(await found('trigger=discovery')).toEqual([]);
    expect(await found(`createdAfter=${now - 10}`)).toEqual([failed, completed]);
    expect(await found(`createdBefore=${now}`)).toEqual([completed, queued]);
    expect(await found(`createdAfter=${now}&createdBefore=${now}`)).toEqual([]);
    expect(await found(`conversationId=a%20chat&state=completed&trigger=request&createdAfter=1`)).toEqual([completed]);
    const { body } = await list(projectId);
    expect(body.analysisRuns.map(({ state, trigger }) => [state, trigger])).toEqual([
      ['failed', 'backfill'],
      ['completed', 'request'],
      ['queued', 'request'],
    ]);
  });

  it.each(['state=running', 'state=', 'state=queued,queued', 'trigger=me', 'createdAfter=x', 'createdBefore=-1'])(
    'are refused for %s with 400 INVALID_FILTER',
    async (query) => {
      const answer = await list(newId('prj'), `?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_FILTER' } });
    },
  );

  it('are found with filters over more than one page looks at, a page at a time', async () => {
    const projectId = newId('prj');
    const count = MAX_COMPARED + 50;
    const made = Array.from({ length: count }, (_, index) => ({
      ...documentOf(newAnalysis({ projectId, conversationId: 'c', snapshotId: `s${index}` }, index + 1)),
      ...(index === 0 ? { trigger: 'discovery' as const } : { trigger: 'automatic' as const }),
    }));
    await analysisCollection(service.database.connection).insertMany(made);
    const first = (await list(projectId, '?trigger=discovery')).body;
    expect(first.analysisRuns).toEqual([]);
    const second = (await list(projectId, `?trigger=discovery&cursor=${encodeURIComponent(first.nextCursor!)}`)).body;
    expect([second.analysisRuns.length, second.nextCursor]).toEqual([1, null]);
    const commands = await explainSent(service.database, async () => {
      await list(projectId, '?trigger=discovery&state=queued&createdAfter=1');
    });
    for (const { plan, stats } of commands) {
      expect({ plan, isBounded: stats.totalDocsExamined <= MAX_COMPARED }).toEqual({ plan, isBounded: true });
    }
  });

  it('are read from an index, no more than a page', async () => {
    const analyses = createAnalysisStore(service.database);
    const window = { createdAfter: FIRST_AT - 1_000, createdBefore: FIRST_AT + 1_000 };
    const filtered = { state: ['failed'], trigger: ['backfill'], ...window } as const;
    for (const filter of [{}, { conversationId: 'a chat' }, filtered, { conversationId: 'a chat', ...filtered }]) {
      const slice = { limit: 2, after: [FIRST_AT, 'anl_1'] };
      const queries = await explainSent(service.database, () => analyses.list(newId('prj'), filter, slice));
      for (const { plan } of queries) expect(plan).toMatch(/^find analyses: .*IXSCAN/);
      expect(queries.length).toBeGreaterThan(0);
    }
  });
});

describe('a refused request for Analysis Runs', () => {
  const notFound = {
    error: 'Not Found',
    code: 'CONVERSATION_NOT_FOUND',
    message: 'The conversation does not exist up to that time',
    requestId: expect.stringMatching(/^req_/),
  };

  it('answers the same 404 for an unknown conversation, another project’s and a time before the first message', async () => {
    const conversation = newConversation();
    const elsewhere = { ...conversation, projectId: newId('prj') };
    const unknown = { ...conversation, conversationId: 'unknown' };
    const answers = [
      await request(unknown),
      await request(elsewhere),
      await request(conversation, { lastActivityAt: FIRST_AT - 1 }),
      await request(conversation, { traceIds: ['f'.repeat(32)] }),
    ];
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 404, body: notFound });
    expect(await runsOf(conversation)).toEqual([]);
  });

  it.each(['.', '..', '\ud800'])('answers 404 for the name %j, which no path can carry', async (name) => {
    const { status, body } = await request(newConversation(service, name));
    expect({ status, body }).toEqual({ status: 404, body: notFound });
  });

  it.each([
    ['no body', undefined],
    ['no conversation', { lastActivityAt: 1 }],
    ['an empty conversation id', { conversationId: '', lastActivityAt: 1 }],
    ['a conversation id of another type', { conversationId: 7, lastActivityAt: 1 }],
    ['control characters in the conversation id', { conversationId: 'a\u0000b', lastActivityAt: 1 }],
    ['no time', { conversationId: 'a' }],
    ['a time as text', { conversationId: 'a', lastActivityAt: '1' }],
    ['a time that is no integer', { conversationId: 'a', lastActivityAt: 1.5 }],
    ['a negative time', { conversationId: 'a', lastActivityAt: -1 }],
    ['trace ids that are no list', { conversationId: 'a', lastActivityAt: 1, traceIds: 'b' }],
    ['an unknown field', { conversationId: 'a', lastActivityAt: 1, ruleIds: [] }],
  ])('answers 400 for %s', async (_name, body) => {
    const answer = await service.call({ method: 'POST', path: '/analysis-runs', body });
    expect(answer).toMatchObject({ status: 400, body: { error: 'Bad Request', code: 'VALIDATION_FAILED' } });
  });
});

describe('when something is away', () => {
  async function startOwn(options: TestServiceOptions = {}): Promise<TestService> {
    const own = await startTestService(environment, options);
    cleanup(() => own.stop());
    return own;
  }

  it('answers 503 and leaves nothing behind while the warehouse fails or cannot be reached', async () => {
    const own = await startOwn();
    const conversation = newConversation(own);
    own.warehouse.fail();
    const failing = await request(conversation, {}, own);
    await own.warehouse.stop();
    const away = await request(conversation, {}, own);
    for (const { status, body, headers } of [failing, away]) {
      expect({ status, code: body['code'] }).toEqual({ status: 503, code: 'UPSTREAM_UNAVAILABLE' });
      expect(headers.get('retry-after')).toBe('1');
    }
    expect(await runsOf(conversation)).toEqual([]);
    expect(await commandsOf(conversation)).toEqual([]);
  });

  it('answers 503, not 401, where the warehouse does not know this service’s key', async () => {
    const own = await startOwn({ foreignKey: true });
    expect(await request(newConversation(own), {}, own)).toMatchObject({
      status: 503,
      body: { code: 'UPSTREAM_UNAVAILABLE' },
    });
  });

  it('answers DIAGNOSTIC_RULES_UNAVAILABLE where the rule service is not mounted, after access and form', async () => {
    const own = await startOwn({ mountRules: false });
    const conversation = newConversation(own);
    expect(await request(conversation, {}, own)).toMatchObject({
      status: 503,
      body: { error: 'Service Unavailable', code: 'DIAGNOSTIC_RULES_UNAVAILABLE' },
    });
    expect(await request(conversation, { lastActivityAt: 'x' }, own)).toMatchObject({ status: 400 });
    expect(await own.call({ path: '/findings' })).toMatchObject({ status: 200 });
  });

  it('counts the runs once when the commit succeeds and its answer is lost', async () => {
    const fault = await mongoFault();
    const own = await startOwn({ mongoUrl: fault.through(environment.mongoUrl) });
    const conversation = newConversation(own);
    const lost = fault.cutAfter('commitTransaction');
    expect(await request(conversation, {}, own)).toMatchObject({ status: 202, body: { runsCreated: RULE_COUNT } });
    await lost;
    expect(await runsOf(conversation)).toHaveLength(RULE_COUNT);
    expect(await commandsOf(conversation)).toHaveLength(1);
  });
});

async function mongoFault(): Promise<TcpFault> {
  const { hostname: host, port } = new URL(environment.mongoUrl);
  const fault = await createTcpFault({ target: { host, port: Number(port) } });
  cleanup(() => fault.close());
  return fault;
}
