import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { silentLogger, useTestEnvironment } from '@clew/testing';
import {
  connectMongo,
  createCircuits,
  createScheduledTasks,
  createProjectTurns,
  ensureScheduleIndexes,
  ensureTurnIndexes,
  MAX_POSITION,
  nativeDb,
  type Capacity,
  type Claimed,
  type Database,
  type HandedOutRow,
  type ProjectTurns,
} from './index.ts';

const LEASE_MS = 60_000;
const NOW_MS = 1_780_000_000_000;
const ANSWER_WITHIN_MS = 3_600_000;

const environment = useTestEnvironment();
let database: Database;
let turns: ProjectTurns<HandedOutRow>;
let capacity: Capacity;

const tasks = () => nativeDb(database.connection).collection<HandedOutRow>('tasks');

function newTurns(): ProjectTurns<HandedOutRow> {
  const rows = createScheduledTasks(tasks(), { leaseMs: LEASE_MS });
  return createProjectTurns({ collection: tasks(), rows, capacity: () => capacity });
}

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  await ensureScheduleIndexes(tasks());
  await ensureTurnIndexes(tasks());
});

beforeEach(async () => {
  await tasks().deleteMany({});
  capacity = { total: 100, ofProject: 100 };
  turns = newTurns();
});

afterAll(() => database.close());

/** Inserts rows of a project, due one after the other, before all rows inserted later. */
let dueAt = NOW_MS - 1_000_000;
async function haveDue(projectId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    return { _id: `${projectId}-${index}`, projectId, state: 'due', dueAt: (dueAt += 1) };
  });
  await tasks().insertMany(rows);
}

/** Sends out the rows of a claim; returns their ids. */
async function handOut(limit: number, of = turns, nowMs = NOW_MS): Promise<string[]> {
  const claimed = await of.rows.claim(nowMs, limit);
  await asked(claimed, of, nowMs);
  return claimed.map(({ _id }) => _id);
}

async function asked(claimed: readonly Claimed<HandedOutRow>[], of = turns, nowMs = NOW_MS): Promise<void> {
  await database.withTransaction(async (tx) => {
    await of.rows.settle(tx, claimed, { dueAt: nowMs + ANSWER_WITHIN_MS });
    const ids = claimed.map(({ _id }) => _id);
    await tasks().updateMany({ _id: { $in: ids } }, { $set: { state: 'asked' } }, { session: tx });
  });
}

const answered = (...ids: string[]) => tasks().deleteMany({ _id: { $in: ids } });

describe('rows of many projects', () => {
  it('are handed out in turn, the oldest of each first, however many one of them had before', async () => {
    await haveDue('a', 5);
    await haveDue('b', 2);
    await haveDue('c', 1);
    const order: string[] = [];
    for (let turn = 0; turn < 8; turn += 1) order.push(...(await handOut(1)));
    expect(order).toEqual(['a-0', 'b-0', 'c-0', 'a-1', 'b-1', 'a-2', 'a-3', 'a-4']);
    expect(await handOut(1)).toEqual([]);
  });

  it('are handed out no more than a project, and all together, may have; an answer makes room', async () => {
    capacity = { total: 5, ofProject: 3 };
    await haveDue('a', 10);
    await haveDue('b', 10);
    expect(await handOut(100)).toEqual(['a-0', 'a-1', 'a-2']);
    expect(await handOut(100)).toEqual(['b-0', 'b-1']);
    expect(await handOut(100)).toEqual([]);
    await answered('a-1');
    expect(await handOut(100)).toEqual(['a-3']);
    await answered('a-0', 'b-0');
    expect(await handOut(1)).toEqual(['b-2']);
    expect(await handOut(1)).toEqual(['a-4']);
  });

  it('are not handed out by two processes at once beyond that', async () => {
    capacity = { total: 100, ofProject: 3 };
    await haveDue('a', 10);
    const other = newTurns();
    const claimed = await turns.rows.claim(NOW_MS, 100);
    expect(claimed).toHaveLength(3);
    expect(await other.rows.claim(NOW_MS, 100)).toEqual([]);
    await asked(claimed);
    expect(await other.rows.claim(NOW_MS, 100)).toEqual([]);
    const room = await database.withTransaction((tx) => other.roomOf(tx, 'a', NOW_MS));
    expect(room).toBe(0);
  });

  it('leave room for new ones, which are handed out as they are written, only while none waits', async () => {
    capacity = { total: 5, ofProject: 3 };
    expect(await turns.freeRoomOf('a', NOW_MS)).toBe(3);
    await haveDue('b', 3);
    expect(await turns.freeRoomOf('a', NOW_MS)).toBe(0);
    expect(await handOut(100)).toHaveLength(3);
    expect(await Promise.all(['a', 'b'].map((of) => turns.freeRoomOf(of, NOW_MS)))).toEqual([2, 0]);
  });

  it('that were handed out and forgotten take no room, and come back', async () => {
    capacity = { total: 2, ofProject: 2 };
    await haveDue('a', 4);
    await handOut(100);
    expect(await handOut(100, turns, NOW_MS + ANSWER_WITHIN_MS)).toEqual(['a-2', 'a-3']);
    await answered('a-2', 'a-3');
    expect(await handOut(100, turns, NOW_MS + ANSWER_WITHIN_MS)).toEqual(['a-0', 'a-1']);
  });

  it('wait for room without ageing: only what has room and is not claimed is late', async () => {
    capacity = { total: 100, ofProject: 1 };
    await haveDue('a', 3);
    await handOut(1);
    expect(await turns.rows.backlog(NOW_MS)).toMatchObject({ waiting: 2, oldestAgeMs: 0 });
    await haveDue('b', 1);
    expect((await turns.rows.backlog(NOW_MS)).oldestAgeMs).toBeGreaterThan(0);
  });

  it('are all handed out once, none of a project beyond its share at any time, in whatever order answers come', async () => {
    const plan = fc.record({
      counts: fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 4 }),
      total: fc.integer({ min: 1, max: 6 }),
      ofProject: fc.integer({ min: 1, max: 4 }),
      limit: fc.integer({ min: 1, max: 5 }),
      answers: fc.array(fc.nat(100), { minLength: 1, maxLength: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ counts, total, ofProject, limit, answers }) => {
        await tasks().deleteMany({});
        capacity = { total, ofProject };
        for (const [index, count] of counts.entries()) if (count > 0) await haveDue(`p${index}`, count);
        const [out, all]: [string[], string[]] = [[], []];
        for (let turn = 0; turn < 200; turn += 1) {
          const ids = await handOut(limit);
          out.push(...ids);
          all.push(...ids);
          expect(out.length).toBeLessThanOrEqual(total);
          for (const some of Map.groupBy(out, (id) => id.split('-')[0]).values()) {
            expect(some.length).toBeLessThanOrEqual(ofProject);
          }
          if (ids.length > 0) continue;
          if (out.length === 0) break;
          const [done] = out.splice((answers[turn % answers.length] ?? 0) % out.length, 1);
          await answered(done!);
        }
        expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
        expect(all).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});

describe('the place of a row', () => {
  it('is behind the earlier ones of its project, and as many turns of each other project', async () => {
    await haveDue('a', 500);
    await haveDue('b', 3);
    await haveDue('c', 1);
    const placeOf = (projectId: string, id: string) => turns.placeOf(projectId, { _id: id }, NOW_MS);
    expect(await placeOf('c', 'c-0')).toMatchObject({ position: 1, since: expect.any(Number) });
    expect(await placeOf('b', 'b-2')).toMatchObject({ position: 1 + 2 + 2 + 1 });
    expect(await placeOf('a', 'a-499')).toMatchObject({ position: 1 + 499 + 3 + 1 });
    expect(await turns.placeOf('d', {}, NOW_MS)).toBeUndefined();
  });

  it('is told up to a bound', async () => {
    await haveDue('a', MAX_POSITION + 50);
    expect(await turns.placeOf('a', { _id: `a-${MAX_POSITION + 40}` }, NOW_MS)).toMatchObject({
      position: MAX_POSITION,
    });
  });
});

it('a circuit opens for all processes, lets one call through, and is closed by an answer', async () => {
  const [one, other] = [createCircuits(database), createCircuits(database)];
  const key = 'prj_1/slow';
  const passage = async (nowMs: number) =>
    (await database.withTransaction((tx) => other.passages(tx, [key], nowMs))).get(key);
  await database.withTransaction((tx) => one.timedOut(tx, key, 2, NOW_MS));
  expect(await passage(NOW_MS)).toEqual({ kind: 'all' });
  await database.withTransaction((tx) => one.timedOut(tx, key, 1, NOW_MS));
  expect(await passage(NOW_MS)).toEqual({ kind: 'none', untilMs: NOW_MS + 60_000 });
  expect(await passage(NOW_MS + 60_000)).toEqual({ kind: 'one' });
  await database.withTransaction((tx) => other.tried(tx, key, NOW_MS + 60_000));
  expect(await passage(NOW_MS + 60_001)).toMatchObject({ kind: 'none' });
  expect(await database.withTransaction((tx) => one.answered(tx, key))).toBe(true);
  expect(await passage(NOW_MS + 60_001)).toEqual({ kind: 'all' });
  expect(await database.withTransaction((tx) => one.answered(tx, key))).toBe(false);
});
