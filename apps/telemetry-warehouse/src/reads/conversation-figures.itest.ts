import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ConversationMessage, ConversationPoint, ConversationSummary, Erasure } from '@clew/contracts';
import { conversationCollection, LIST_INDEXES } from '../conversations/index.ts';
import { dayCollection, hoursOf, packDays } from '../hours/index.ts';
import { migrations } from '../migrations.ts';
import { useTestEnvironment } from '@clew/testing';
import { useTestDatabase } from '../test-support/database.ts';
import { profiled, unindexed } from '../test-support/profile.ts';
import { startTestService, type TestService } from '../test-support/service.ts';
import { chatSpan, plainSpan, PROJECT_ID, spansMessage, STARTED_AT } from '../test-support/spans.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HOUR = Math.floor(STARTED_AT / HOUR_MS) * HOUR_MS;

const environment = useTestEnvironment();
const database = useTestDatabase(environment);
let service: TestService;

beforeAll(async () => {
  service = await startTestService(environment, database.current);
});

afterAll(() => service.stop());

async function list(query: string): Promise<string[]> {
  const { status, body } = await service.call<{ conversations: ConversationSummary[] }>({
    path: `/conversations?${query}`,
  });
  expect([query, status]).toEqual([query, 200]);
  return body.conversations.map(({ id }) => id);
}

const toolCalls = (name: string) =>
  JSON.stringify([{ role: 'assistant', parts: [{ type: 'tool_call', id: 't1', name, arguments: {} }] }]);

describe('filters', () => {
  beforeEach(async () => {
    const call = { trace: 1, span: 1, conversation: 'tool', said: 'book it' };
    const failed = chatSpan({ trace: 2, span: 2, conversation: 'failed', said: 'hello' });
    await service.store(
      spansMessage({ spans: [chatSpan({ ...call, attributes: { 'gen_ai.output.messages': toolCalls('book') } })] }),
      spansMessage({ spans: [{ ...failed, statusCode: 2, statusMessage: 'timeout' }] }),
      spansMessage({
        spans: [1, 2, 3, 4].map((turn) =>
          chatSpan({
            trace: 3,
            span: 2 + turn,
            conversation: 'long',
            said: `question ${turn}`,
            answered: `answer ${turn}`,
          }),
        ),
      }),
    );
    await service.settleAll();
  });

  it.each([
    ['tool=book', ['tool']],
    ['tool=cancel', []],
    ['hasError=true', ['failed']],
    ['hasError=false', ['long', 'tool']],
    ['minMessages=8', ['long']],
    ['minMessages=9', []],
    ['minMessages=3&hasError=false', ['long']],
    ['state=ready', ['long', 'failed', 'tool']],
    ['state=active', []],
  ])('%s finds %j', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  it('by state follows what arrives', async () => {
    await service.store(
      spansMessage({ spans: [chatSpan({ trace: 1, span: 9, conversation: 'tool', said: 'and now?' })] }),
    );
    expect([await list('state=active'), await list('state=ready')]).toEqual([['tool'], ['long', 'failed']]);
    await service.settleAll();
    expect(await list('state=active')).toEqual([]);
  });

  it('by score follow what the project says of it, at once', async () => {
    const score = async (conversation: string, value: unknown) => {
      const body = { name: 'csat', value, source: 'user' };
      const { status } = await service.call({ method: 'POST', path: `/conversations/${conversation}/scores`, body });
      expect(status).toBe(201);
    };
    await score('tool', 0.4);
    await score('failed', 4);
    await score('long', '3');
    await service.settleAll();
    expect([await list('score=csat:failure'), await list('score=csat:success')]).toEqual([['tool'], []]);
    const name = async (successScores: object[]) => {
      const doer = { actor: { kind: 'key', id: 'key_1' }, address: null, requestId: 'req_1' } as const;
      await service.retention.service.change(PROJECT_ID, { successScores: successScores as never }, doer);
    };
    await name([{ name: 'csat', atLeast: 4 }]);
    expect([await list('score=csat:failure'), await list('score=csat:success')]).toEqual([
      ['long', 'tool'],
      ['failed'],
    ]);
    await name([{ name: 'csat', atLeast: 3 }]);
    expect(await list('score=csat:success&state=ready')).toEqual(['long', 'failed']);
    await name([{ name: 'other' }]);
    expect([await list('score=csat:failure'), await list('score=csat:success')]).toEqual([[], []]);
  });

  it.each(['score=csat', 'score=:success', 'minMessages=0', 'minMessages=10001', 'state=done', 'tool='])(
    '%s is refused',
    async (query) => {
      expect((await service.call({ path: `/conversations?${query}` })).status).toBe(400);
    },
  );

  it('select what is counted', async () => {
    const counts = async (query: string) => (await service.call({ path: `/conversations/counts?${query}` })).body;
    const count = (value: string, number: number) => ({ value, count: number, atLeast: false });
    expect(await counts('by=state,hasError')).toEqual({
      total: { count: 3, atLeast: false },
      counts: { state: [count('ready', 3), count('active', 0)], hasError: [count('true', 1), count('false', 2)] },
    });
    expect(await counts('tool=book&minMessages=2&by=hasError')).toEqual({
      total: { count: 1, atLeast: false },
      counts: { hasError: [count('true', 0), count('false', 1)] },
    });
    for (const query of ['by=', 'by=agent', 'by=state,state', 'limit=3']) {
      expect([query, (await service.call({ path: `/conversations/counts?${query}` })).status]).toEqual([query, 400]);
    }
  });

  it('find what was stored before there were any, after the migration', async () => {
    const conversations = conversationCollection(database.current.connection);
    const added = ['facets', 'hasError', 'isReady', 'scored', 'latency', 'counted'];
    await conversations.updateMany({}, { $unset: Object.fromEntries(added.map((field) => [field, ''])) as never });
    await conversations.createIndex({ projectId: 1, listed: 1, agents: 1 }, { name: 'former' });
    for (const { up } of migrations.slice(1)) await up(database.current.connection);
    const names = (await conversations.indexes()).flatMap(({ key, name = '' }) => ('listed' in key ? name : []));
    expect(names.sort()).toEqual(Object.values(LIST_INDEXES).sort());
    const queries = ['hasError=true', 'minMessages=8', 'state=ready', 'model=gpt-4o'];
    expect(await Promise.all(queries.map(list))).toEqual([
      ['failed'],
      ['long'],
      ['long', 'failed', 'tool'],
      ['long', 'failed', 'tool'],
    ]);
    expect(await list('tool=book')).toEqual([]);
    // It is assembled once more within a day, and nothing is announced again.
    const announced = await service.announced();
    service.clock.advance(Date.now() - service.clock.now() + 2 * 86_400_000);
    await service.settleAll();
    expect(await list('tool=book')).toEqual(['tool']);
    expect(await service.announced()).toEqual(announced);
  });
});

describe('the series of conversations', () => {
  const read = async (query: string) => {
    const range = `startMs=${HOUR}&endMs=${HOUR + 24 * HOUR_MS}&intervalMs=${HOUR_MS}`;
    const { status, body } = await service.call<{ series: { value: string | null; points: ConversationPoint[] }[] }>({
      path: `/conversations/series?${range}${query}`,
    });
    return status === 200 ? body.series : status;
  };

  it('tells what began when, how it went, and how long its calls took', async () => {
    const attributes = {
      'gen_ai.agent.name': 'courier',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 3,
    };
    const call = (index: number, atMs: number) =>
      chatSpan({
        trace: index,
        span: index,
        conversation: `c${index}`,
        said: 'hello',
        answered: 'yes',
        atMs,
        attributes,
      });
    const failed = { ...call(3, 2 * HOUR_MS), statusCode: 2 };
    await service.store(spansMessage({ spans: [call(1, 0), call(2, 1_000), failed] }));
    await service.settleAll();
    await service.setFindingCounts([{ projectId: PROJECT_ID, conversationId: 'c2', findingCount: 1, sequence: 1 }]);
    const latency = { latencyP50Ms: expect.any(Number), latencyP95Ms: expect.any(Number) };
    const first = { startMs: HOUR, conversations: 2, flagged: 1, errors: 0, inputTokens: 20, outputTokens: 6 };
    const later = { startMs: HOUR + 2 * HOUR_MS, conversations: 1, flagged: 0, errors: 1 };
    expect(await read('')).toMatchObject([{ value: null, points: [{ ...first, ...latency }, later] }]);
    expect(await read('&by=agent')).toMatchObject([{ value: 'courier', points: [first, later] }]);
    expect(await read('&by=model')).toMatchObject([{ value: 'gpt-4o', points: [first, later] }]);
    const [{ points: [point] = [] } = { points: [] }] = (await read('')) as { points: ConversationPoint[] }[];
    expect(Math.abs((point?.latencyP50Ms ?? 0) - 500)).toBeLessThan(60);
  });

  it('tells the same of days that were stored as texts, before and after the migration, also where more comes', async () => {
    const days = dayCollection(database.current);
    const say = (index: number, atMs: number) =>
      service.store(
        spansMessage({ spans: [chatSpan({ trace: index, span: index, conversation: `c${index}`, atMs })] }),
      );
    const fold = async () => {
      while ((await service.stores.hours.fold(PROJECT_ID, Number.MAX_SAFE_INTEGER)) > 0);
    };
    const ofDays = async () => {
      const startMs = HOUR - (HOUR % DAY_MS);
      const query = `startMs=${startMs}&endMs=${startMs + 2 * DAY_MS}&intervalMs=${DAY_MS}`;
      return (await service.call({ path: `/conversations/series?${query}` })).body;
    };
    const both = async () => [await read(''), await ofDays()];
    await say(1, 0);
    await say(2, HOUR_MS);
    await service.settleAll();
    await fold();
    const told = await both();
    expect(told).toMatchObject([
      [{ points: [{ conversations: 1 }, { conversations: 1 }] }],
      { series: [{ points: [{ conversations: 2 }] }] },
    ]);
    for (const row of await days.find().toArray()) {
      const byHour = [...hoursOf(row)].map(([hour, { latency, ...numbers }]) => {
        const counts = [...latency.entries()].filter(([, count]) => count > 0);
        return [hour, { ...numbers, latency: Object.fromEntries(counts) }];
      });
      const hours = JSON.stringify(Object.fromEntries(byHour));
      await days.updateOne({ _id: row._id }, { $set: { hours }, $unset: { total: '' } });
    }
    expect(await both()).toEqual(told);
    await packDays(database.current.connection);
    expect(await days.countDocuments({ hours: { $type: 'string' } })).toBe(0);
    expect(await both()).toEqual(told);
    await say(3, 0);
    await service.settleAll();
    const withMore = await both();
    await fold();
    expect(await both()).toEqual(withMore);
    expect(withMore).not.toEqual(told);
  });

  it('has no interval without a conversation, and refuses too many or crooked ones', async () => {
    expect(await read('')).toEqual([{ value: null, points: [] }]);
    expect(await read('&by=agent')).toEqual([]);
    expect(await read('&by=user')).toBe(400);
    const refused = [
      `startMs=2&endMs=1&intervalMs=${HOUR_MS}`,
      `startMs=0&endMs=${HOUR_MS * 1_001}&intervalMs=${HOUR_MS}`,
      `startMs=0&endMs=${HOUR_MS * 9_000}&intervalMs=${HOUR_MS * 24}`,
      `startMs=0&endMs=${HOUR_MS}&intervalMs=60000`,
    ];
    for (const query of refused) {
      expect([query, (await service.call({ path: `/conversations/series?${query}` })).status]).toEqual([query, 400]);
    }
  });
});

describe('a window of messages', () => {
  interface Window {
    contentHash: string;
    messageCount: number;
    from: number;
    messages: ConversationMessage[];
  }

  const turns = (count: number) =>
    spansMessage({
      spans: Array.from({ length: count }, (_, turn) =>
        chatSpan({ trace: 1, span: turn + 1, conversation: 'c', said: `question ${turn}`, answered: `answer ${turn}` }),
      ),
    });
  const read = (query: string, headers: Record<string, string> = {}) =>
    service.call<Window>({ path: `/conversations/c/messages?${query}`, headers });
  const indexesOf = ({ body }: { body: Window }) => [body.from, body.messages.map(({ index }) => index)];

  it('holds the messages of its indexes, of a ready conversation and of one that goes on', async () => {
    await service.store(turns(5));
    const check = async () => {
      expect(indexesOf(await read('from=3&limit=2'))).toEqual([3, [3, 4]]);
      expect(indexesOf(await read('around=5&limit=4'))).toEqual([3, [3, 4, 5, 6]]);
      expect(indexesOf(await read('around=1&limit=4'))).toEqual([0, [0, 1, 2, 3]]);
      expect(indexesOf(await read('from=10'))).toEqual([10, []]);
      const { body } = await read('');
      expect([body.messageCount, body.messages.length, body.messages[9]?.content]).toEqual([10, 10, 'answer 4']);
      expect(body.messages[0]).not.toHaveProperty('hash');
    };
    await check();
    await service.settleAll();
    await check();
    for (const query of ['from=1&around=2', 'limit=0', 'from=-1', 'cursor=x']) {
      expect([query, (await read(query)).status]).toEqual([query, 400]);
    }
  });

  it('is not sent again, nor read, while the content is what the caller has', async () => {
    await service.store(turns(2));
    await service.settleAll();
    const first = await read('limit=1');
    const etag = String(first.headers['etag']);
    expect(etag).toBe(`"${first.body.contentHash}"`);
    const operations = await profiled(
      database.current,
      async () => {
        const again = await read('limit=1', { 'if-none-match': `W/"other", ${etag}` });
        expect([again.status, again.body, again.headers['etag']]).toEqual([304, null, etag]);
      },
      'snapshots',
    );
    expect(operations).toEqual([]);
    await service.store(turns(3));
    expect((await read('limit=1', { 'if-none-match': etag })).status).toBe(200);
    expect((await service.call({ path: '/conversations/none/messages' })).status).toBe(404);
  });
});

describe('the list of erasures', () => {
  it('shows the one that was asked for last first, by status, from an index', async () => {
    for (const conversation of ['one', 'two', 'three']) {
      await service.call({
        ...{ method: 'DELETE', path: `/conversations/${conversation}` },
        principal: { kind: 'key', id: 'key_1', scopes: ['workspace:write'] } as never,
      });
      service.clock.advance(1_000);
      if (conversation === 'two') await service.eraseAll();
    }
    const read = async (query: string) => {
      const { body } = await service.call<{ erasures: Erasure[]; nextCursor: string | null }>({
        path: `/erasures?${query}`,
      });
      return [body.erasures.map(({ conversationId }) => conversationId), body.nextCursor] as const;
    };
    const operations = await profiled(
      database.current,
      async () => {
        expect(await read('')).toEqual([['three', 'two', 'one'], null]);
        expect(await read('status=running')).toEqual([['three'], null]);
        expect(await read('status=completed')).toEqual([['two', 'one'], null]);
        const [first, cursor] = await read('limit=2');
        expect(first).toEqual(['three', 'two']);
        expect(await read(`limit=2&cursor=${cursor}`)).toEqual([['one'], null]);
      },
      'erasures',
    );
    expect(unindexed(operations)).toEqual([]);
    expect(operations.length).toBe(5);
  });

  it('is for those who may read the project', async () => {
    await service.store(spansMessage({ spans: [plainSpan({ trace: 1, span: 1 })] }));
    expect((await service.call({ path: '/erasures', principal: null })).status).toBe(401);
  });
});
