import { beforeEach, describe, expect, it } from '@jest/globals';
import { sha256Hex } from '@clew/kernel';
import type { SpanRecord } from '@clew/contracts';
import { useTestEnvironment } from '@clew/testing';
import fc from 'fast-check';
import { createFault, ProcessDied } from '../../test-support/faults.ts';
import {
  chatSpan,
  OTHER_PROJECT_ID,
  plainSpan,
  PROJECT_ID,
  spansMessage,
  STARTED_AT,
  traceId,
  userLog,
} from '../../test-support/spans.ts';
import { emptyDatabase, useTestDatabase } from '../../test-support/database.ts';
import { createTestStores, type TestStores } from '../../test-support/stores.ts';
import { createFragmentStore } from '../fragments.store.ts';
import { earlierCollections, type EarlierPayload, type EarlierSpan } from './earlier-spans.ts';
import { createSpanMover } from './move-spans.ts';

const RUNS = Number(process.env['CLEW_PROPERTY_RUNS'] ?? 25);
const RECEIVED_AT = new Date(STARTED_AT);

const database = useTestDatabase(useTestEnvironment());
let warehouse: TestStores;

beforeEach(() => {
  warehouse = createTestStores(database.current);
});

interface EarlierOptions {
  conversation?: string;
  expired?: boolean;
}

/** Writes a span as the version before fragments did. */
async function writeEarlier(span: SpanRecord, { conversation, expired = false }: EarlierOptions = {}): Promise<void> {
  const { attributes, events, ...fields } = span;
  const { spans, payloads, links } = earlierCollections(database.current);
  const _id = `${PROJECT_ID}:${span.traceId}:${span.spanId}`;
  const named = conversation === undefined ? {} : { conversationId: conversation };
  const row: EarlierSpan = {
    _id,
    projectId: PROJECT_ID,
    ...fields,
    scopeName: 'test',
    ...named,
    receivedAt: RECEIVED_AT,
  } as EarlierSpan;
  await spans.insertOne(row);
  if (!expired) {
    const body = JSON.stringify({ attributes, events, resource: { 'service.name': 'app' } });
    await payloads.insertOne({ _id, projectId: PROJECT_ID, kind: 'span', body, receivedAt: RECEIVED_AT });
  }
  if (conversation === undefined) return;
  const link = `${PROJECT_ID}:${span.traceId}:${sha256Hex(conversation).slice(0, 32)}`;
  const document = { _id: link, projectId: PROJECT_ID, traceId: span.traceId, conversationId: conversation };
  await links.updateOne({ _id: link }, { $setOnInsert: document }, { upsert: true });
}

async function writeEarlierLog(log: ReturnType<typeof userLog>): Promise<void> {
  const record = JSON.stringify(log);
  const payload: EarlierPayload = {
    _id: `${PROJECT_ID}:${log.traceId}:${log.spanId}:${sha256Hex(record).slice(0, 16)}`,
    ...{ projectId: PROJECT_ID, kind: 'log', receivedAt: RECEIVED_AT },
    body: `${record.slice(0, -1)},"scopeName":"test","resource":{}}`,
  };
  await earlierCollections(database.current).payloads.insertOne(payload);
}

async function leftOver(): Promise<number> {
  const { spans, payloads } = earlierCollections(database.current);
  return (await spans.countDocuments()) + (await payloads.countDocuments());
}

describe('spans that were stored before there were fragments', () => {
  it('are part of a conversation that goes on before they were moved', async () => {
    await writeEarlier(chatSpan({ trace: 1, span: 1, conversation: 'c', said: 'first' }), { conversation: 'c' });
    await writeEarlierLog(userLog({ trace: 1, span: 1, said: 'noted' }));
    await warehouse.store(
      spansMessage({ spans: [chatSpan({ trace: 2, span: 2, conversation: 'c', said: 'second' })] }),
    );
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(expect.arrayContaining(['first', 'second']));
    expect(await leftOver()).toBe(0);
  });

  it('name the conversation of a trace that goes on', async () => {
    await writeEarlier(plainSpan({ trace: 1, span: 1, attributes: { 'session.id': 'c' } }), { conversation: 'c' });
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 2, parent: 1, said: 'hello' })] }));
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['hello']);
    expect(await warehouse.announced(traceId(1))).toEqual([]);
  });

  it('that have lost their content keep their place and their conversation', async () => {
    const span = plainSpan({ trace: 1, span: 1 });
    await writeEarlier(span, { conversation: 'c', expired: true });
    const mover = createSpanMover(database.current, createFragmentStore(database.current));
    while ((await mover.movePage()) > 0);
    await warehouse.store(spansMessage({ spans: [chatSpan({ trace: 1, span: 2, parent: 1, said: 'hello' })] }));
    await warehouse.settleAll();
    expect(await warehouse.said('c')).toEqual(['hello']);
    expect(await warehouse.snapshotOf('c')).toMatchObject({ truncated: true });
    expect(await leftOver()).toBe(0);
  });

  it('leave a content alone whose span is on its way', async () => {
    const { payloads } = earlierCollections(database.current);
    const _id = `${PROJECT_ID}:${traceId(1)}:${'1'.repeat(16)}`;
    await payloads.insertOne({ _id, projectId: PROJECT_ID, kind: 'span', body: '{}', receivedAt: new Date() });
    const mover = createSpanMover(database.current, createFragmentStore(database.current));
    expect(await mover.movePage()).toBe(0);
    expect(await leftOver()).toBe(1);
  });
});

const spanSpec = fc.record({
  trace: fc.integer({ min: 1, max: 4 }),
  conversation: fc.constantFrom(undefined, 'a', 'b'),
  parent: fc.option(fc.integer({ min: 1, max: 10 }), { nil: undefined }),
  atMs: fc.integer({ min: 0, max: 5 }).map((seconds) => seconds * 1_000),
});

describe('moving stored spans', () => {
  it('killed at any step, and begun again, gives the same conversations as if they had come now', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(spanSpec, { minLength: 1, maxLength: 10 }),
        fc.array(
          fc.record({ step: fc.integer({ min: 1, max: 3 }), moment: fc.constantFrom('before', 'half way', 'after') }),
          { maxLength: 6 },
        ),
        fc.integer({ min: 1, max: 4 }),
        async (specs, kills, pageSize) => {
          await emptyDatabase(database.current);
          const spans = specs.map(({ conversation, parent, ...place }, index) => ({
            conversation,
            span: chatSpan({
              ...{ ...place, span: index + 1, said: `question ${index}`, answered: `answer ${index}` },
              ...(conversation === undefined ? {} : { conversation }),
              ...(parent === undefined ? {} : { parent }),
            }),
          }));
          for (const { span, conversation } of spans) {
            await writeEarlier(span, conversation === undefined ? {} : { conversation });
          }
          for (const { step, moment } of kills) {
            const fault = createFault();
            const faulty = fault.wrap('fragments', createFragmentStore(database.current));
            fault.arm(step, moment as 'before', true);
            const dying = createSpanMover(database.current, faulty, { pageSize });
            await dying.movePage().catch((error: unknown) => {
              if (!(error instanceof ProcessDied)) throw error;
            });
          }
          const mover = createSpanMover(database.current, createFragmentStore(database.current), { pageSize });
          while ((await mover.movePage()) > 0);
          expect(await leftOver()).toBe(0);
          // The conversations are looked at again, as if something had come.
          const stores = createTestStores(database.current);
          const touch = { implicit: false, listed: true, startedAt: STARTED_AT, lastActivityAt: STARTED_AT };
          const everything = spansMessage({ spans: spans.map(({ span }) => span) }, OTHER_PROJECT_ID);
          await stores.store(everything);
          const known = await stores.conversationIdsOf(OTHER_PROJECT_ID);
          const touches = known.map((conversationId) => ({ ...touch, projectId: PROJECT_ID, conversationId }));
          await stores.stores.conversations.touch(touches, [], { receivedAt: 1, dueAt: stores.clock.now() });
          await stores.settleAll();
          for (const conversationId of known) {
            const [moved, fresh] = await Promise.all([
              stores.conversation(conversationId),
              stores.conversation(conversationId, OTHER_PROJECT_ID),
            ]);
            expect([moved.contentHash, moved.spanCount]).toEqual([fresh.contentHash, fresh.spanCount]);
          }
        },
      ),
      { numRuns: RUNS },
    );
  }, 600_000);
});
