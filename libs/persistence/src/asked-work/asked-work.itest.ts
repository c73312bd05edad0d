import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, fixedClock, silentLogger, useTestEnvironment } from '@clew/testing';
import {
  ANSWER_WITHIN_MS,
  connectMongo,
  createAskedWork,
  createCircuits,
  createInbox,
  createTakeAnswers,
  ensureScheduleIndexes,
  ensureTurnIndexes,
  nativeDb,
  readProviderGates,
  type Answer,
  type AskedWork,
  type Database,
  type HandedOutRow,
} from '../index.ts';

type Row = HandedOutRow & { rounds: number };

const NOW_MS = 1_780_000_000_000;
const PROVIDER = 'p/slow';

const environment = useTestEnvironment();
const clock = fixedClock(NOW_MS);
let database: Database;
let work: AskedWork<Row, { _id: string }>;
let decided: string[][];
let look: () => Promise<undefined>;

const rows = () => nativeDb(database.connection).collection<Row>('work');
const row = (id: string) => rows().findOne({ _id: id });

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  await ensureScheduleIndexes(rows());
  await ensureTurnIndexes(rows());
});

afterAll(() => database.close());

/** Creates asked work that sends every row to a worker. */
beforeEach(async () => {
  await Promise.all(
    ['work', 'circuits', 'inbox'].map((name) => nativeDb(database.connection).collection(name).deleteMany({})),
  );
  decided = [];
  look = async () => undefined;
  work = createAskedWork<Row, { _id: string }, undefined, undefined>({
    ...{ name: 'work', database, collection: rows(), circuits: createCircuits(database), clock },
    ...{ logger: silentLogger(), capacity: () => ({ total: 8, ofProject: 2 }), groupSize: 10, pollMs: 10 },
    look: () => look(),
    async decide(tx, projectId, claimed) {
      const ids = claimed.map(({ _id }) => _id);
      await work.rows.settle(tx, claimed, { dueAt: clock.now() + ANSWER_WITHIN_MS });
      await rows().updateMany(
        { _id: { $in: ids } },
        { $set: { state: 'asked' }, $inc: { rounds: 1 } },
        { session: tx },
      );
      decided.push([projectId, ...ids]);
      return undefined;
    },
    putOffSince: async () => undefined,
    putOffReason: 'budget',
  });
});

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

function start(): void {
  const loop = work.start();
  stop = () => loop.stop();
}

async function haveDue(...ids: string[]): Promise<void> {
  await rows().insertMany(
    ids.map((_id, index) => ({
      _id,
      projectId: _id.slice(0, 1),
      state: 'due',
      rounds: 0,
      dueAt: NOW_MS - 100 + index,
    })),
  );
}

describe('asked work', () => {
  it('is decided on project by project, and no project has more asked for than its share', async () => {
    await haveDue('a1', 'a2', 'a3', 'b1');
    start();
    await eventually(() =>
      expect(decided.toSorted()).toEqual([
        ['a', 'a1', 'a2'],
        ['b', 'b1'],
      ]),
    );
    expect(await row('a3')).toMatchObject({ state: 'due' });
    expect(await work.waitingOf('a', { _id: 'a3' })).toMatchObject({ reason: 'places', position: 1 });
  });

  it('is put off where what a decision needs cannot be read, and nothing is decided', async () => {
    look = () => Promise.reject(new Error('the models cannot be asked'));
    await haveDue('a1');
    start();
    await eventually(async () => expect((await row('a1'))?.dueAt).toBeGreaterThan(NOW_MS));
    expect(decided).toEqual([]);
    look = async () => undefined;
    await work.release({ projectId: 'a' });
    await eventually(() => expect(decided).toEqual([['a', 'a1']]));
  });
});

describe('a provider whose circuit is open', () => {
  const circuits = () => createCircuits(database);
  const gates = (nowMs: number) =>
    database.withTransaction((tx) => readProviderGates(tx, circuits(), { keys: [PROVIDER], nowMs, lookAgainMs: 5 }));

  beforeEach(() => database.withTransaction((tx) => circuits().timedOut(tx, PROVIDER, 3, NOW_MS)));

  it('is left alone, and then asked by one alone', async () => {
    const until = (await gates(NOW_MS)).closedUntil(PROVIDER)!;
    expect(until).toBeGreaterThan(NOW_MS);
    await database.withTransaction(async (tx) => {
      const onTrial = await readProviderGates(tx, circuits(), { keys: [PROVIDER], nowMs: until, lookAgainMs: 5 });
      expect(onTrial.closedUntil(PROVIDER)).toBeUndefined();
      onTrial.pass(PROVIDER);
      expect(onTrial.closedUntil(PROVIDER)).toBe(until + 5);
      await onTrial.ask(PROVIDER);
    });
    expect((await gates(until)).closedUntil(PROVIDER)).toBeGreaterThan(until);
  });

  it('is not on trial because of one that was let through and not asked', async () => {
    const until = (await gates(NOW_MS)).closedUntil(PROVIDER)!;
    (await gates(until)).pass(PROVIDER);
    expect((await gates(until)).closedUntil(PROVIDER)).toBeUndefined();
  });
});

describe('answers', () => {
  const told: { taken: string[][]; recovered: string[]; woken: number } = { taken: [], recovered: [], woken: 0 };
  const answer = (id: string, calls: number, isTimeout = false): Answer => ({
    ...{ id, projectId: 'p' },
    data: { model: 'slow/one', calls, outcome: { status: calls > 0 ? 'read' : 'later', isTimeout } },
  });
  let take: (messages: readonly Answer[]) => Promise<void>;

  beforeEach(() => {
    Object.assign(told, { taken: [], recovered: [], woken: 0 });
    take = createTakeAnswers<Answer, undefined, string[]>({
      ...{ database, inbox: createInbox(database, 'answers'), circuits: createCircuits(database), clock },
      prepare: async () => undefined,
      take: async (_tx, _projectId, fresh) => fresh.map(({ id }) => id),
      taken: async (_projectId, ids) => void told.taken.push(ids),
      afterRecovery: async (projectId) => void told.recovered.push(projectId),
      wake: () => (told.woken += 1),
    });
  });

  it('are taken once, however often they come', async () => {
    await take([answer('one', 1)]);
    await take([answer('one', 1), answer('two', 1)]);
    expect(told).toMatchObject({ taken: [['one'], ['two']], woken: 2 });
  });

  it('that never came in time open the circuit of their provider, and the first that comes closes it', async () => {
    await take(['one', 'two', 'three'].map((id) => answer(id, 0, true)));
    expect(await createCircuits(database).isAnyOpen('p', NOW_MS)).toBe(true);
    await take([answer('four', 1), answer('five', 0, true)]);
    expect(await createCircuits(database).isAnyOpen('p', NOW_MS)).toBe(false);
    expect(told.recovered).toEqual(['p']);
  });
});
