import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, fixedClock, silentLogger, useTestEnvironment } from '@clew/testing';
import {
  afterWindowPage,
  completed,
  connectMongo,
  createWindowBackfills,
  ensureScheduleIndexes,
  ensureTurnIndex,
  nativeDb,
  notBegun,
  type Database,
  type Permission,
  type WindowBackfill,
  type WindowBackfillRow,
  type WindowBackfills,
} from '../index.ts';

type Row = WindowBackfillRow<WindowBackfill>;

const NOW_MS = 1_780_000_000_000;
const WINDOW = { projectId: 'p', requestId: 'r', startMs: 1, endMs: 9, maxConversations: 5 };

const environment = useTestEnvironment();
const clock = fixedClock(NOW_MS);
let database: Database;
let backfills: WindowBackfills<WindowBackfill>;
let permission: Permission<string>;
let queued: string[][];
let isDue: boolean;
let readPage: (cursor: string | undefined) => Promise<void>;

const documents = () => nativeDb(database.connection).collection<Row>('backfills');
const stored = () => documents().findOne({ _id: 'one' });

const snapshot = (name: string, messageCount: number) => ({
  ...{ conversationId: name, snapshotId: name, contentHash: name, messagesHash: name, revision: 1 },
  ...{ startedAt: 1, lastActivityAt: 2, messageCount, agents: [] },
});

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  await ensureScheduleIndexes(documents());
  await ensureTurnIndex(documents());
});

afterAll(() => database.close());

/** Sets up a window of three pages of two conversations, the first of which has expired text. */
beforeEach(async () => {
  await documents().deleteMany({});
  [permission, queued, isDue, readPage] = [{ kind: 'going', by: 'owner' }, [], true, async () => undefined];
  backfills = createWindowBackfills<WindowBackfill, string>({
    ...{ name: 'backfills', database, collection: documents(), clock, logger: silentLogger() },
    ...{ pageSize: 2, pollMs: 10 },
    permit: async () => permission,
    async readPage(_backfill, { cursor, limit }) {
      await readPage(cursor);
      const page = Number(cursor ?? 0);
      const conversations = [0, 1].map((index) => snapshot(`${page}.${index}`, page + index)).slice(0, Number(limit));
      return { conversations, nextCursor: page === 2 ? null : String(page + 1) };
    },
    async queue(_tx, backfill, { by, conversations, ...page }) {
      queued.push([by, ...conversations.map(({ conversationId }) => conversationId)]);
      const { next, isLast } = afterWindowPage(backfill, page);
      return isLast ? completed(next, clock.now()) : next;
    },
    isDue: () => isDue,
  });
});

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

async function begin(): Promise<void> {
  const loop = backfills.start();
  stop = () => loop.stop();
  await backfills.schedule({ id: 'one', ...WINDOW, ...notBegun(NOW_MS) });
}

const endedAs = (state: string) => eventually(async () => expect(await stored()).toMatchObject({ state }));

describe('a backfill of a window', () => {
  it('goes through it page by page up to its bound, without conversations whose words have expired', async () => {
    await begin();
    await endedAs('completed');
    expect(queued).toEqual([
      ['owner', '0.1'],
      ['owner', '1.0', '1.1'],
      ['owner', '2.0'],
    ]);
    expect(await stored()).toMatchObject({ conversationsSeen: 5, endedAt: NOW_MS, dueAt: null });
  });

  it('stands as it was scheduled first', async () => {
    const first = await backfills.schedule({ id: 'one', ...WINDOW, ...notBegun(NOW_MS) });
    const second = await backfills.schedule({ id: 'one', ...WINDOW, maxConversations: 9, ...notBegun(NOW_MS) });
    expect([first, second].map(({ maxConversations }) => maxConversations)).toEqual([5, 5]);
  });

  it('waits where its owner says so, until that makes it due', async () => {
    permission = { kind: 'waiting' };
    await begin();
    await eventually(async () => expect(await stored()).toMatchObject({ state: 'scheduled', dueAt: null }));
    permission = { kind: 'going', by: 'owner' };
    await documents().updateOne({ _id: 'one' }, { $set: { dueAt: NOW_MS } });
    backfills.wake();
    await endedAs('completed');
  });

  it('waits after a page whose owner has enough in hand', async () => {
    isDue = false;
    await begin();
    await eventually(async () => expect(await stored()).toMatchObject({ cursor: '1', dueAt: null, claim: null }));
    expect(queued).toHaveLength(1);
  });

  it('ends as cancelled where its owner is gone', async () => {
    permission = { kind: 'cancelled' };
    await begin();
    await endedAs('cancelled');
    expect(queued).toEqual([]);
  });

  it('that is cancelled while its page is read queues nothing, and stays cancelled', async () => {
    const cancel = { state: 'cancelled', endedAt: NOW_MS } as const;
    readPage = async () => void (await documents().updateOne({ _id: 'one' }, { $set: cancel }));
    await begin();
    await eventually(async () => expect(await stored()).toMatchObject({ ...cancel, dueAt: null }));
    expect(queued).toEqual([]);
  });

  it('that cannot be listed for hours fails, with the reason', async () => {
    readPage = () => Promise.reject(new Error('away'));
    await backfills.schedule({ id: 'one', ...WINDOW, ...notBegun(NOW_MS) });
    await documents().updateOne({ _id: 'one' }, { $set: { attempts: 59 } });
    const loop = backfills.start();
    stop = () => loop.stop();
    await endedAs('failed');
    expect(await stored()).toMatchObject({
      failureReason: expect.stringContaining('could not be listed'),
      dueAt: null,
    });
  });
});
