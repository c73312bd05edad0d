import { createCursorCodec } from '@clew/kernel';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { deedRecorded, type Erasure } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import { QUEUES } from '@clew/messaging';
import { nativeDb } from '@clew/persistence';
import { fixedClock, silentLogger, storedText, useTestEnvironment, type FixedClock } from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { messageFragments, packedFragment } from '../fragments/index.ts';
import { createFault, type Moment } from '../test-support/faults.ts';
import { chatSpan, plainSpan, PROJECT_ID, spansMessage, STARTED_AT, userLog } from '../test-support/spans.ts';
import { useTestDatabase } from '../test-support/database.ts';
import { createTestStores, NO_SERVICES, type TestStores } from '../test-support/stores.ts';
import { createErasure } from './create-erasure.ts';
import type { SweepLetters } from './erase-letters.ts';
import { eraseDue } from './erasure-loop.ts';

const database = useTestDatabase(useTestEnvironment());
let clock: FixedClock;
let warehouse: TestStores;

beforeEach(() => {
  clock = fixedClock(STARTED_AT);
  warehouse = createTestStores(database.current, clock);
});

const MARKED = ['zebra', 'okapi', 'quagga', 'gnu'] as const;
const REQUESTED_BY = { kind: 'key', id: 'key_1' } as const;
const DOER = { actor: REQUESTED_BY, address: null, requestId: 'req_1' };

/**
 * Two conversations in one fragment of one trace, with records below their spans, and more records of each in other
 * traces.
 */
function shared() {
  return [
    spansMessage({
      spans: [
        chatSpan({ trace: 1, span: 1, conversation: 'gone', said: 'zebra', answered: 'okapi' }),
        plainSpan({ trace: 1, span: 2, parent: 1, attributes: { note: 'quagga' } }),
        chatSpan({ trace: 1, span: 3, conversation: 'kept', said: 'hello', answered: 'good day' }),
        plainSpan({ trace: 1, span: 4, parent: 3, attributes: { note: 'whole' } }),
      ],
      logs: [userLog({ trace: 1, span: 2, said: 'gnu' })],
    }),
    spansMessage({ spans: [chatSpan({ trace: 2, span: 5, conversation: 'gone', said: 'zebra again' })] }),
    spansMessage({ spans: [chatSpan({ trace: 3, span: 6, conversation: 'kept', said: 'more', answered: 'of it' })] }),
  ];
}

async function wordsLeft(): Promise<string[]> {
  const texts = await storedText(nativeDb(database.current.connection));
  return [...texts].flatMap(([name, text]) =>
    MARKED.filter((word) => text.includes(word)).map((word) => `${name}: ${word}`),
  );
}

function request(conversationId = 'gone'): Promise<string> {
  return warehouse.erasure.service.request({ projectId: PROJECT_ID, conversationId }, DOER);
}

const receipt = (erasureId: string): Promise<Erasure> => warehouse.erasure.service.get(PROJECT_ID, erasureId);

describe('the erasure of a conversation', () => {
  it('is recorded for the audit once for each run, without the name of the conversation', async () => {
    const ids = await Promise.all([request(), request()]);
    await request();
    const deeds = await emittedMessages(database.current, deedRecorded, PROJECT_ID);
    expect(deeds.map(({ data }) => data)).toEqual([
      {
        ...{ actor: REQUESTED_BY, address: null, action: 'erasure.requested', before: null, after: null },
        target: { kind: 'erasure', id: ids[0] },
      },
    ]);
    expect(JSON.stringify(deeds)).not.toContain('gone');
  });

  it('leaves no word of it, and the conversation beside it in the same fragment as it was', async () => {
    await warehouse.store(...shared());
    await warehouse.settleAll();
    await warehouse.stores.scores.insert(null as never, PROJECT_ID, 'gone', {
      ...{ id: 'scr_1', name: 'helpful', value: true, comment: 'quagga', source: 'user', createdAt: clock.now() },
    });
    const before = await warehouse.conversation('kept');
    expect(await wordsLeft()).not.toEqual([]);

    const erasureId = await request();
    expect(await receipt(erasureId)).toMatchObject({ status: 'running', completedAt: null });
    await warehouse.eraseAll();
    expect(await wordsLeft()).toEqual([]);
    expect(await receipt(erasureId)).toMatchObject({
      ...{ id: erasureId, conversationId: 'gone', status: 'completed', requestedBy: REQUESTED_BY },
      services: { telemetry: { conversations: 1, spans: 3, logs: 1, snapshots: 1, scores: 1 } },
    });
    expect(await warehouse.conversationIdsOf(PROJECT_ID)).toEqual(['kept']);

    await warehouse.store(spansMessage({ spans: [plainSpan({ trace: 3, span: 7, parent: 6 })] }));
    await warehouse.settleAll();
    expect(await warehouse.said('kept')).toEqual(['hello', 'good day', 'more', 'of it']);
    const { contentHash, messagesHash } = before;
    expect(await warehouse.conversation('kept')).toMatchObject({ contentHash, messagesHash, spanCount: 4 });
  });

  it('refuses its records when they come again, and what comes below them', async () => {
    await warehouse.store(...shared());
    await warehouse.settleAll();
    await request();
    await warehouse.eraseAll();
    await warehouse.store(...shared(), spansMessage({ logs: [userLog({ trace: 1, span: 2, said: 'gnu' })] }));
    await warehouse.store(
      spansMessage({ spans: [plainSpan({ trace: 1, span: 8, parent: 2, attributes: { late: 'gnu' } })] }),
      spansMessage({ spans: [plainSpan({ trace: 1, span: 9, parent: 8, attributes: { later: 'gnu' } })] }),
      spansMessage({ spans: [chatSpan({ trace: 9, span: 1, conversation: 'gone', said: 'gnu' })] }),
    );
    await warehouse.settleAll();
    expect(await wordsLeft()).toEqual([]);
    expect(await warehouse.conversationIdsOf(PROJECT_ID)).toEqual(['kept']);
    expect(await warehouse.said('kept')).toEqual(['hello', 'good day', 'more', 'of it']);
  });

  it('takes a trace that names no conversation, and refuses the rest of it', async () => {
    const [call, later] = [1, 2].map((span) => chatSpan({ trace: 5, span, said: `zebra ${span}` }));
    await warehouse.store(spansMessage({ spans: [call!] }));
    await warehouse.settleAll();
    const [conversationId] = await warehouse.conversationIdsOf(PROJECT_ID);
    await request(conversationId);
    await warehouse.eraseAll();
    await warehouse.store(spansMessage({ spans: [later!] }));
    await warehouse.settleAll();
    expect(await wordsLeft()).toEqual([]);
    expect(await warehouse.conversationIdsOf(PROJECT_ID)).toEqual([]);
  });

  it('takes what was stored by a message that had begun before it', async () => {
    await request();
    const { fragments } = warehouse.stores;
    const unaware = createTestStores(database.current, clock);
    expect(await eraseDue({ ...unaware.erasure, ...loopOf() })).toBe(1);
    const late = messageFragments(PROJECT_ID, shared()[0]!.data).fragments;
    await fragments.write(await Promise.all(late.map(packedFragment)));
    expect(await wordsLeft()).not.toEqual([]);
    await warehouse.eraseAll();
    expect(await wordsLeft()).toEqual([]);
  });

  it.each([
    ['usual', QUEUES.spansReceived],
    ['bulk', QUEUES.spansReceivedBulk],
  ])('takes its records out of dead letters of the %s lane, also those that name nobody', async (_lane, queue) => {
    const letters = new Map([
      ['gone', spansMessage({ spans: [chatSpan({ trace: 7, span: 1, conversation: 'gone', said: 'zebra' })] })],
      ['below', spansMessage({ spans: [plainSpan({ trace: 1, span: 2, parent: 1, attributes: { note: 'gnu' } })] })],
      ['both', shared()[0]!],
      ['other', spansMessage({ spans: [chatSpan({ trace: 8, span: 1, conversation: 'other', said: 'hi' })] })],
    ]);
    const bodies = new Map([...letters].map(([name, letter]) => [name, JSON.stringify(letter)]));
    const sweepLetters: SweepLetters = async (judge) => {
      let swept = 0;
      for (const [name, body] of bodies) {
        const judged = await judge(body, queue);
        if (judged === 'keep') continue;
        swept += 1;
        if (judged === 'erase') bodies.delete(name);
        else bodies.set(name, judged.left);
      }
      return swept;
    };
    warehouse = createTestStores(database.current, clock, { sweepLetters });
    await warehouse.store(...shared());
    await warehouse.settleAll();
    const erasureId = await request();
    await warehouse.eraseAll();
    expect((await receipt(erasureId)).services.telemetry).toMatchObject({ deadLetters: 3 });
    expect([...bodies.keys()]).toEqual(['both', 'other']);
    for (const word of MARKED) expect(bodies.get('both')).not.toContain(word);
    expect(bodies.get('both')).toContain('good day');
    expect(bodies.get('other')).toBe(JSON.stringify(letters.get('other')));
  });

  it('has one id for as long as it runs, and looks again when it is asked for again', async () => {
    const erasureId = await request();
    expect(await request()).toBe(erasureId);
    await warehouse.eraseAll();
    expect(await request()).toBe(erasureId);
    expect(await receipt(erasureId)).toMatchObject({ status: 'running' });
    await warehouse.eraseAll();
    expect(await receipt(erasureId)).toMatchObject({ status: 'completed' });
    await expect(warehouse.erasure.service.get(`prj_${'2'.repeat(26)}`, erasureId)).rejects.toThrow(AppError);
  });

  it('waits for a service that is away, and goes on once it is back', async () => {
    await warehouse.store(...shared());
    await warehouse.settleAll();
    const erasureId = await request();
    let isAway = true;
    const knowledge = () =>
      isAway
        ? Promise.reject(new AppError('UPSTREAM_UNAVAILABLE', 'away'))
        : Promise.resolve({ removed: { items: 2 }, done: true });
    const parts = { ...warehouse.erasure.parts, knowledge };
    await warehouse.eraseAll({ parts });
    expect(await receipt(erasureId)).toMatchObject({ status: 'running', services: { knowledge: {} } });
    isAway = false;
    clock.advance(3_600_000);
    await warehouse.eraseAll({ parts });
    expect(await receipt(erasureId)).toMatchObject({ status: 'completed', services: { knowledge: { items: 4 } } });
  });
});

it.each<Moment>(['before', 'after'])(
  'a run that is killed %s any of its steps is seen through by the next',
  async (moment) => {
    for (let step = 1; ; step += 1) {
      const names = ['conversations', 'trace_fragments', 'fragment_contents', 'snapshots', 'erasures', 'tombstones'];
      const db = nativeDb(database.current.connection);
      for (const name of [...names, 'erased_records', 'outbox']) await db.collection(name).deleteMany({});
      await warehouse.store(...shared());
      await warehouse.settleAll();
      await request();
      const fault = createFault();
      const { stores, retention } = warehouse;
      const faulty = createErasure({
        database: fault.wrap('database', database.current),
        fragments: fault.wrap('fragments', stores.fragments),
        ...{
          expireWords: retention.expireWords,
          hours: stores.hours,
          services: NO_SERVICES,
          audit: warehouse.audit,
          clock,
        },
        cursors: createCursorCodec(new Uint8Array(32)),
        sweepLetters: () => Promise.resolve(0),
      });
      const erasures = { ...faulty.erasures, ...fault.wrap('erasures', faulty.erasures) };
      fault.arm(step, moment, true);
      await eraseDue({ ...faulty, ...loopOf(), erasures });
      const isOver = (await db.collection('erasures').countDocuments({ 'position.round': 2, attempts: 0 })) === 1;
      fault.mend();
      clock.advance(3_600_000);
      await warehouse.eraseAll();
      expect(await wordsLeft()).toEqual([]);
      expect(await warehouse.said('kept')).toEqual(['hello', 'good day', 'more', 'of it']);
      expect(await warehouse.conversationIdsOf(PROJECT_ID)).toEqual(['kept']);
      if (isOver) return expect(step).toBeGreaterThan(5);
    }
  },
);

function loopOf() {
  return { database: database.current, clock, logger: silentLogger(), settleMs: 60_000 };
}
