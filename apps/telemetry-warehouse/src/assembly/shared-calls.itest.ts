import { beforeEach, describe, expect, it } from '@jest/globals';
import { ENDPOINT_SCOPE, type SpanRecord } from '@clew/contracts';
import { explainUsesIndex, useTestEnvironment } from '@clew/testing';
import { conversationModel } from '../conversations/index.ts';
import { fragmentModel, MAX_SMALL_FRAGMENTS } from '../fragments/index.ts';
import { emptyDatabase, useTestDatabase } from '../test-support/database.ts';
import {
  chatSpan,
  groupsMessage,
  PROJECT_ID,
  traceId,
  type CallSpec,
  type SpansMessage,
} from '../test-support/spans.ts';
import { createTestStores, type TestStores } from '../test-support/stores.ts';

const database = useTestDatabase(useTestEnvironment());
let warehouse: TestStores;

beforeEach(() => {
  warehouse = createTestStores(database.current);
});

const ENDPOINT_TRACE = 1_000_000;
const usage = { 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 5 };

function message(scopeName: string, ...spans: SpanRecord[]): SpansMessage {
  return groupsMessage([{ resource: {}, scopeName, spans, logs: [] }]);
}

/** Call as the application's instrumentation records it, in its own trace. */
function application(index: number, more: Difference = {}, scopeName = 'instrumentation'): SpansMessage {
  return message(scopeName, chatSpan(spec(index, index, more)));
}

/** Same call as the endpoint records it, in the conversation `conv` that it found. */
function endpoint(index: number, more: Difference = {}): SpansMessage {
  const trace = ENDPOINT_TRACE + index;
  return message(ENDPOINT_SCOPE, chatSpan({ conversation: 'conv', ...spec(trace, index, more, usage) }));
}

/** Fields of a call that differ; undefined leaves a field out. */
type Difference = { [Field in keyof CallSpec]?: CallSpec[Field] | undefined };

function spec(trace: number, index: number, more: Difference, extra: Record<string, unknown> = {}): CallSpec {
  const attributes = { 'gen_ai.response.id': `chatcmpl-${index}`, ...extra, ...more.attributes };
  const call = { trace, span: index, said: `question ${index}`, answered: `answer ${index}`, ...more, attributes };
  return Object.fromEntries(Object.entries(call).filter(([, value]) => value !== undefined)) as unknown as CallSpec;
}

async function listed(): Promise<string[]> {
  const found = await conversationModel(database.current.connection).find({ projectId: PROJECT_ID, listed: true });
  return found.map(({ conversationId }) => conversationId).sort();
}

/** Number of saved assemblies so far. */
async function saves(): Promise<number> {
  const found = await conversationModel(database.current.connection).find({});
  return found.reduce((sum, { version }) => sum + version, 0);
}

type Order = 'the application first' | 'the endpoint first' | 'both at once';
const ORDERS: readonly Order[] = ['the application first', 'the endpoint first', 'both at once'];

async function storeInOrder(order: Order, ofApplication: SpansMessage[], ofEndpoint: SpansMessage[]): Promise<void> {
  const first = order === 'the endpoint first' ? ofEndpoint : ofApplication;
  const second = order === 'the endpoint first' ? ofApplication : ofEndpoint;
  await warehouse.store(...first);
  if (order !== 'both at once') await warehouse.settleAll();
  await warehouse.store(...second);
  await warehouse.settleAll();
}

describe.each(ORDERS)('a call that the application and the endpoint recorded, %s', (order) => {
  it('is in the application’s conversation alone, with what the endpoint knows', async () => {
    await storeInOrder(order, [application(1)], [endpoint(1)]);
    expect(await listed()).toEqual([traceId(1)]);
    expect(await warehouse.said(traceId(1))).toEqual(['question 1', 'answer 1']);
    expect((await warehouse.conversation(traceId(1))).usage).toEqual({ inputTokens: 10, outputTokens: 5 });
    expect((await warehouse.said('conv')) ?? []).toEqual([]);
  });

  it('says all of it where the application recorded only that it called', async () => {
    const bare = application(1, { said: undefined, answered: undefined });
    await storeInOrder(order, [bare], [endpoint(1)]);
    expect(await listed()).toEqual([traceId(1)]);
    expect(await warehouse.said(traceId(1))).toEqual(['question 1', 'answer 1']);
  });

  it('leaves the endpoint’s conversation what the application did not record', async () => {
    await storeInOrder(order, [application(1)], [endpoint(1), endpoint(2)]);
    expect(await listed()).toEqual([traceId(1), 'conv'].sort());
    expect(await warehouse.said('conv')).toEqual(['question 2', 'answer 2']);
  });

  it('is looked at no more once all know', async () => {
    await storeInOrder(order, [application(1), application(2)], [endpoint(1), endpoint(2)]);
    const before = await saves();
    await warehouse.settleAll();
    expect(await saves()).toBe(before);
    expect(before).toBeLessThanOrEqual(6);
  });
});

describe('a call without a response id', () => {
  const noId = { attributes: { 'gen_ai.response.id': undefined } };

  it.each(['the endpoint first', 'both at once'] as const)('is joined by what was said, %s', async (order) => {
    await storeInOrder(order, [application(1, noId)], [endpoint(1)]);
    expect(await listed()).toEqual([traceId(1)]);
    expect((await warehouse.conversation(traceId(1))).usage).toEqual({ inputTokens: 10, outputTokens: 5 });
    const before = await saves();
    await warehouse.settleAll();
    expect(await saves()).toBe(before);
  });

  it('is joined where it failed', async () => {
    const failed = { answered: undefined, attributes: { 'gen_ai.response.id': undefined, 'error.type': 'bad' } };
    await warehouse.store(endpoint(1, failed), application(1, failed));
    await warehouse.settleAll();
    expect(await listed()).toEqual([traceId(1)]);
    expect((await warehouse.conversation(traceId(1))).errorCount).toBe(1);
  });

  it('takes the tries with it that failed before it', async () => {
    const failed = { answered: undefined, attributes: { 'gen_ai.response.id': undefined, 'error.type': 'busy' } };
    const tried = endpoint(1, { ...failed, trace: ENDPOINT_TRACE + 7, atMs: 1_100 });
    await warehouse.store(tried, endpoint(1, { atMs: 1_700 }), application(1));
    await warehouse.settleAll();
    expect(await listed()).toEqual([traceId(1)]);
  });
});

describe('a call of two instrumentations with traces of their own', () => {
  it('is in the conversation that is named', async () => {
    await warehouse.store(application(1), application(1, { trace: 2, conversation: 'chat' }, 'another'));
    await warehouse.settleAll();
    expect(await listed()).toEqual(['chat']);
  });
});

describe('a call of an application that hands its trace on', () => {
  it('is in the conversation that the application names, also when the trace was put together', async () => {
    const count = MAX_SMALL_FRAGMENTS + 1;
    for (let index = 1; index <= count; index += 1) {
      await warehouse.store(application(index, { trace: 1, conversation: 'chat' }));
      const handedOn = { parent: index, conversation: 'conv', atMs: index * 1_000 };
      const own = chatSpan({ ...spec(1, index, handedOn, usage), span: 100 + index });
      await warehouse.store(message(ENDPOINT_SCOPE, own));
    }
    for (const when of ['at first', 'once it was put together']) {
      await warehouse.settleAll();
      expect([when, await listed()]).toEqual([when, ['chat']]);
      await warehouse.store(application(50, { trace: 1, conversation: 'chat' }));
    }
    expect((await warehouse.conversation('chat')).usage.outputTokens).toBe(5 * count);
  });
});

describe('what is taken', () => {
  it('is given back where the taker shows by a later version that it was another call', async () => {
    await warehouse.store(endpoint(1), application(1, { answered: undefined }));
    await warehouse.settleAll();
    expect(await listed()).toEqual([traceId(1)]);
    await warehouse.store(application(1, { answered: 'something else', attributes: { more: 'later version' } }));
    await warehouse.settleAll();
    expect(await listed()).toEqual([traceId(1), 'conv'].sort());
    expect(await warehouse.said('conv')).toEqual(['question 1', 'answer 1']);
  });
});

describe('calls that share their ids', () => {
  it('stay 500 where 500 share 99 at about one time, and say something else', async () => {
    const count = 500;
    const spans = Array.from({ length: count }, (_, index) => {
      const attributes = { 'gen_ai.response.id': `chatcmpl-${index % 99}` };
      return chatSpan(spec(index + 1, index + 1, { atMs: (index * 7) % 10_000, attributes }));
    });
    await warehouse.store(message('instrumentation', ...spans));
    await warehouse.settleAll();
    expect((await listed()).length).toBe(count);
    const withOthers = await conversationModel(database.current.connection).countDocuments({
      $or: [{ callsLost: { $exists: true } }, { callsTaken: { $exists: true } }],
    });
    expect(withOthers).toBe(0);
  });
});

describe('finding other records of a call', () => {
  it('is one query for conversations that are assembled together, and none where there is nothing to find by', async () => {
    const asked: string[] = [];
    const watched = createTestStores(database.current, warehouse.clock, {
      wrap(name, store) {
        if (name !== 'calls') return store;
        const count = (method: string) => {
          const call = (store as Record<string, (...args: unknown[]) => unknown>)[method];
          return (...args: unknown[]) => {
            asked.push(method);
            return call?.(...args);
          };
        };
        return { ...store, fragmentsOf: count('fragmentsOf'), hasAny: count('hasAny') };
      },
    });
    await watched.store(...Array.from({ length: 20 }, (_, index) => application(index + 1)));
    await watched.settleAll();
    expect(asked).toEqual(['fragmentsOf']);
    asked.length = 0;
    await emptyDatabase(database.current);
    const bare = { said: undefined, answered: undefined, attributes: { 'gen_ai.response.id': undefined } };
    await watched.store(...Array.from({ length: 20 }, (_, index) => application(index + 1, bare)));
    await watched.settleAll();
    expect(asked).toEqual([]);
  });

  it('is answered by an index', async () => {
    const query = { projectId: PROJECT_ID, callKeys: { $in: [1, 2, 3] } };
    await warehouse.store(endpoint(1));
    expect(await explainUsesIndex(fragmentModel(database.current.connection).find(query))).toContain('IXSCAN');
  });
});
