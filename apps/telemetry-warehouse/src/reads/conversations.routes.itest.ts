import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Conversation, ConversationSummary, Score } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import { keyWith, userWith } from '@clew/testing/identities';
import { startTestService, type TestService } from '../test-support/service.ts';
import {
  chatSpan,
  OTHER_PROJECT_ID,
  plainSpan,
  PROJECT_ID,
  spansMessage,
  STARTED_AT,
  traceId,
} from '../test-support/spans.ts';
import { useTestDatabase } from '../test-support/database.ts';

interface List {
  conversations: ConversationSummary[];
  nextCursor: string | null;
}

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, database.current);
});

afterAll(() => service.stop());

function said(index: number, conversation: string, text: string, attributes: Record<string, unknown> = {}) {
  return spansMessage({ spans: [chatSpan({ trace: index, span: index, conversation, said: text, attributes })] });
}

async function list(query: string): Promise<string[]> {
  const { status, body } = await service.call<List>({ path: `/conversations?${query}` });
  expect(status).toBe(200);
  return body.conversations.map(({ id }) => id);
}

describe('the number of Findings of a conversation', () => {
  it('is the one with the greatest sequence, whichever comes first, and nothing to one that does not exist', async () => {
    await service.store(said(1, 'one', 'Hello'), said(2, 'two', 'Hello'));
    await service.settleAll();
    const count = (conversationId: string, findingCount: number, sequence: number) => ({
      ...{ projectId: PROJECT_ID, conversationId, findingCount, sequence },
    });
    await service.setFindingCounts([count('one', 2, 5), count('unknown', 1, 1), count('one', 1, 4)]);
    await service.setFindingCounts([count('two', 3, 1), count('one', 7, 3)]);
    await service.setFindingCounts([]);
    const shown = await Promise.all(['one', 'two'].map((id) => service.conversation(id)));
    expect(shown.map(({ findingCount, hasFinding }) => [findingCount, hasFinding])).toEqual([
      [2, true],
      [3, true],
    ]);
  });
});

describe('the list of conversations', () => {
  beforeEach(async () => {
    await service.store(
      said(1, 'one', 'Where is my parcel?', { 'gen_ai.agent.name': 'courier', 'user.id': 'ann' }),
      said(2, 'two', 'Where is my refund?', { 'gen_ai.agent.name': 'cashier', 'user.id': 'ann' }),
      said(3, 'three', 'Cancel the parcel', { 'gen_ai.agent.name': 'courier', 'user.id': 'bob' }),
      said(4, 'four', 'Hello', { 'gen_ai.request.model': 'small', 'gen_ai.agent.name': 'cashier' }),
      spansMessage({ spans: [plainSpan({ trace: 5, span: 5 })] }),
    );
    await service.settleAll();
    await service.setFindingCounts([{ projectId: PROJECT_ID, conversationId: 'three', findingCount: 2, sequence: 1 }]);
  });

  it.each([
    ['', ['four', 'three', 'two', 'one']],
    ['agent=courier', ['three', 'one']],
    ['model=small', ['four']],
    ['userId=ann', ['two', 'one']],
    ['hasFinding=true', ['three']],
    ['hasFinding=false', ['four', 'two', 'one']],
    ['q=parcel', ['three', 'one']],
    ['q=PARCEL%20where', ['one']],
    ['q=%3F%21', []],
    [`startedAfter=${STARTED_AT + 2_000}`, ['four', 'three', 'two']],
    [`startedBefore=${STARTED_AT + 2_000}`, ['one']],
    [`startedAfter=${STARTED_AT + 2_000}&startedBefore=${STARTED_AT + 3_000}`, ['two']],
    ['agent=courier&userId=ann', ['one']],
    ['agent=courier&model=gpt-4o&userId=bob&hasFinding=true&q=cancel', ['three']],
    ['agent=courier&hasFinding=false', ['one']],
    ['agent=nobody', []],
    ['limit=2', ['four', 'three']],
  ])('with %p has %p', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  it.each([
    'limit=0',
    'limit=501',
    'limit=1.5',
    'limit=',
    'startedAfter=yesterday',
    'startedAfter=-1',
    'hasFinding=maybe',
    'agent=',
    'q=%20',
    'unknown=1',
    'agent=a&agent=b',
  ])('refuses %p', async (query) => {
    const { status, body } = await service.call({ path: `/conversations?${query}` });
    expect([status, body['code']]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('takes a limit of 500', async () => {
    expect(await list('limit=500')).toHaveLength(4);
  });

  it('goes on where the cursor says', async () => {
    const first = (await service.call<List>({ path: '/conversations?limit=3' })).body;
    const second = (await service.call<List>({ path: `/conversations?limit=3&cursor=${first.nextCursor}` })).body;
    expect([...first.conversations, ...second.conversations].map(({ id }) => id)).toEqual([
      'four',
      'three',
      'two',
      'one',
    ]);
    expect(second.nextCursor).toBeNull();
  });

  it('refuses a cursor that was changed, made for other filters, for another project or for another list', async () => {
    const { nextCursor } = (await service.call<List>({ path: '/conversations?limit=1' })).body;
    const changed = `${nextCursor!.slice(0, -1)}${nextCursor!.endsWith('A') ? 'B' : 'A'}`;
    const calls = [
      { path: `/conversations?cursor=${changed}` },
      { path: `/conversations?cursor=nonsense` },
      { path: `/conversations?agent=courier&cursor=${nextCursor}` },
      { path: `/conversations?cursor=${nextCursor}`, projectId: OTHER_PROJECT_ID },
      { path: `/traces/${traceId(1)}?cursor=${nextCursor}` },
    ];
    for (const call of calls) {
      const { status, body } = await service.call(call);
      expect([call, status, body['code']]).toEqual([call, 400, 'INVALID_CURSOR']);
    }
  });

  it('does not show the conversations of another project', async () => {
    const { body } = await service.call<List>({ path: '/conversations', projectId: OTHER_PROJECT_ID });
    expect(body).toEqual({ conversations: [], nextCursor: null });
  });
});

describe('a conversation', () => {
  it('is read with its messages while it is active, and the same when it is ready', async () => {
    await service.store(said(1, 'c', 'hello', { 'user.id': 'ann' }));
    const active = (await service.call<Conversation>({ path: '/conversations/c' })).body;
    await service.settleAll();
    const ready = (await service.call<Conversation>({ path: '/conversations/c' })).body;
    expect(active).toMatchObject({ state: 'active', snapshotId: null, contentHash: null, messageCount: 1 });
    const { state, snapshotId, contentHash, ...rest } = ready;
    expect(state).toBe('ready');
    expect(active).toMatchObject(rest);
    expect(snapshotId).toMatch(/^cesr_/);
    expect(contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(ready.messages.map(({ content }) => content)).toEqual(['hello']);
  });

  it('shows at once what has come since it was ready', async () => {
    await service.store(said(1, 'c', 'hello'));
    await service.settleAll();
    await service.store(said(2, 'c', 'still there?'));
    const { body } = await service.call<Conversation>({ path: '/conversations/c' });
    expect(body).toMatchObject({ state: 'active', messageCount: 2 });
    expect(body.messages.map(({ content }) => content)).toEqual(['hello', 'still there?']);
  });

  it.each([
    'a/b',
    '/',
    '.',
    '..',
    '../../x',
    'a?b#c',
    'a%2Fb',
    '日本語 и ещё',
    '🙂'.repeat(256),
    'x'.repeat(512),
    '{"$gt":""}',
    ' ',
    'scores',
    'a:b;c',
  ])('is found by the id %p', async (conversation) => {
    await service.store(said(1, conversation, 'hello'), said(2, `${conversation.slice(1)}!`, 'another'));
    const path = `/conversations/${encodeURIComponent(conversation).replaceAll('.', '%2E')}`;
    const { status, body } = await service.call<Conversation>({ path });
    expect([status, body.id, body.preview]).toEqual([200, conversation, 'hello']);
    const scored = await service.call<Score>({ method: 'POST', path: `${path}/scores`, body: SCORE });
    expect(scored.status).toBe(201);
  });

  it.each(['missing', '%00', 'x'.repeat(513), '%E0%A4%A', traceId(9)])(
    'that does not, or cannot, exist is not found (%p)',
    async (id) => {
      const { status } = await service.call({ path: `/conversations/${id}` });
      expect(status).toBe(id === '%E0%A4%A' ? 400 : 404);
    },
  );

  it('of another project is not found, nor is a trace that is none', async () => {
    await service.store(said(1, 'c', 'hello'), spansMessage({ spans: [plainSpan({ trace: 5, span: 5 })] }));
    const elsewhere = await service.call({ path: '/conversations/c', projectId: OTHER_PROJECT_ID });
    const trace = await service.call({ path: `/conversations/${traceId(5)}` });
    expect([elsewhere.status, trace.status]).toEqual([404, 404]);
    expect(elsewhere.body).toMatchObject({ code: 'CONVERSATION_NOT_FOUND' });
    expect({ ...elsewhere.body, requestId: '' }).toEqual({ ...trace.body, requestId: '' });
  });

  it('is not found once its trace names another one', async () => {
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, said: 'hello' })] }));
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 2, conversation: 'c' })] }));
    expect((await service.call({ path: `/conversations/${traceId(1)}` })).status).toBe(404);
    expect((await service.call<Conversation>({ path: '/conversations/c' })).body.preview).toBe('hello');
  });
});

const SCORE = { name: 'helpful', value: true, source: 'user' };

describe('a score', () => {
  const score = (body: unknown, conversation = 'c') =>
    service.call<Score>({ method: 'POST', path: `/conversations/${conversation}/scores`, body });

  beforeEach(async () => {
    await service.store(said(1, 'c', 'hello'));
    await service.settleAll();
  });

  it.each([true, false, 0, -1.5, 1, '', 'good', 'x'.repeat(1_000)])('may be %p', async (value) => {
    const { status, body } = await score({ ...SCORE, value });
    expect([status, body.value]).toEqual([201, value]);
    const { scores } = (await service.call<Conversation>({ path: '/conversations/c' })).body;
    expect(scores).toEqual([body]);
  });

  it.each([
    { ...SCORE, name: '' },
    { ...SCORE, name: '  ' },
    { ...SCORE, name: 'x'.repeat(201) },
    { ...SCORE, value: null },
    { ...SCORE, value: { deep: 1 } },
    { ...SCORE, value: 'x'.repeat(1_001) },
    { ...SCORE, source: 'nobody' },
    { ...SCORE, traceId: 'not a trace' },
    { ...SCORE, comment: 'x'.repeat(10_001) },
    { ...SCORE, unknown: 1 },
    { value: true, source: 'user' },
    [],
    undefined,
  ])('is refused as %p', async (body) => {
    expect((await score(body)).status).toBe(400);
    expect((await service.call<Conversation>({ path: '/conversations/c' })).body.scores).toEqual([]);
  });

  it('of an unknown conversation is 404, and leaves nothing behind', async () => {
    const { status, body } = await score(SCORE, 'missing');
    expect([status, body]).toMatchObject([404, { code: 'CONVERSATION_NOT_FOUND' }]);
    expect(await service.stores.scores.list(PROJECT_ID, 'missing')).toEqual([]);
  });

  it('makes the conversation ready again, with a snapshot that holds it', async () => {
    const before = await service.conversation('c');
    const { body } = await score({ ...SCORE, value: false, comment: 'wrong', traceId: traceId(1) });
    expect((await service.call<Conversation>({ path: '/conversations/c' })).body.state).toBe('active');
    await service.settleAll();
    const after = await service.conversation('c');
    expect(after.contentHash).not.toBe(before.contentHash);
    expect((await service.snapshotOf('c'))?.scores).toEqual([body]);
    expect((await service.announced('c')).map(({ revision }) => revision)).toEqual([1, 2]);
  });

  it('that the telemetry holds is shown with those that were given', async () => {
    const event = {
      name: 'gen_ai.evaluation.result',
      timeUnixNano: `${STARTED_AT}000000`,
      attributes: { 'gen_ai.evaluation.name': 'Relevance', 'gen_ai.evaluation.score.value': 0.25 },
    };
    const span = { ...chatSpan({ trace: 1, span: 9, conversation: 'c' }), events: [event] };
    await service.store(spansMessage({ spans: [span] }));
    await score(SCORE);
    for (const state of ['active', 'ready']) {
      const { body } = await service.call<Conversation>({ path: '/conversations/c' });
      expect(body.state).toBe(state);
      expect(body.scores.map(({ name }) => name).sort()).toEqual(['Relevance', 'helpful']);
      await service.settleAll();
    }
    expect((await service.snapshotOf('c'))?.scores).toHaveLength(2);
  });
});

describe('what holds no chat', () => {
  const LIST = { 'openinference.span.kind': 'LLM', 'output.value': '{"object":"list","data":[{"id":"tiny"}]}' };
  const EMBEDDINGS = { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': 'e' };

  it.each([
    ['a list of models', LIST],
    ['embeddings', EMBEDDINGS],
  ])('is no conversation: %s', async (_what, attributes) => {
    await service.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 1, attributes })] }));
    await service.settleAll();
    expect(await list('')).toEqual([]);
    expect((await service.call({ path: `/conversations/${traceId(1)}` })).status).toBe(404);
    expect(await service.announced()).toEqual([]);
  });

  it('is listed where a step of a chat is in it, and becomes ready with nothing said', async () => {
    await service.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 1, conversation: 'c' })] }));
    const states = [];
    for (const settle of [async () => undefined, () => service.settleAll()]) {
      await settle();
      const { body } = await service.call<Conversation>({ path: '/conversations/c' });
      states.push([body.state, body.snapshotId, body.messageCount]);
    }
    expect(states).toEqual([
      ['active', null, 0],
      ['ready', null, 0],
    ]);
    expect(await list('')).toEqual(['c']);
  });
});

describe('access', () => {
  const paths = ['/conversations', '/conversations/c', `/traces/${traceId(1)}`];

  it.each([
    ['no identity', null, 401],
    ['a key without the scope', keyWith('telemetry:write'), 403],
    ['a person without the permission', userWith('project:data:write'), 403],
    ['a key with the scope', keyWith('workspace:read'), 200],
    ['a person who may read', userWith('project:read'), 200],
  ])('to reads with %s is answered %s', async (_who, principal, expected) => {
    await service.store(said(1, 'c', 'hello'));
    const statuses = await Promise.all(paths.map(async (path) => (await service.call({ path, principal })).status));
    expect(statuses).toEqual(paths.map(() => expected));
  });

  it('with an identity for another project is answered as if nothing were there', async () => {
    await service.store(said(1, 'c', 'hello'));
    for (const path of paths) {
      expect((await service.call({ path, identityProject: OTHER_PROJECT_ID })).status).toBe(404);
    }
  });

  it('to scores takes the scope to write telemetry', async () => {
    await service.store(said(1, 'c', 'hello'));
    const call = { method: 'POST', path: '/conversations/c/scores', body: SCORE } as const;
    expect((await service.call({ ...call, principal: keyWith('workspace:read') })).status).toBe(403);
    expect((await service.call({ ...call, principal: keyWith('telemetry:write') })).status).toBe(201);
  });
});
