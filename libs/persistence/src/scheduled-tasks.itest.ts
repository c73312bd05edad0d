import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { explainSent, monitored, sentCommands, silentLogger, useTestEnvironment } from '@clew/testing';
import {
  ClaimLostError,
  connectMongo,
  createScheduledTasks,
  ensureScheduleIndexes,
  nativeDb,
  type Claimed,
  type Database,
  type ScheduledTask,
  type ScheduledTasks,
} from './index.ts';

type Task = ScheduledTask & { effects?: number };

const LEASE_MS = 60_000;
const MAX_ATTEMPTS = 3;
const NOW_MS = 1_780_000_000_000;

const environment = useTestEnvironment();
let database: Database;
let rows: ScheduledTasks<Task>;

const tasks = () => nativeDb(database.connection).collection<Task>('tasks');
const task = async (id: string) => (await tasks().findOne({ _id: id })) ?? undefined;

beforeAll(async () => {
  const { mongoUrl, database: name } = environment;
  database = await connectMongo({
    ...{ url: monitored(mongoUrl), database: name, appName: 'test' },
    logger: silentLogger(),
  });
  await ensureScheduleIndexes(tasks());
  rows = createScheduledTasks(tasks(), { leaseMs: LEASE_MS });
});

beforeEach(() => tasks().deleteMany({}));

afterAll(() => database.close());

/** Inserts rows that become due one millisecond apart, in this order, from `NOW_MS` on. */
async function haveDue(...ids: string[]): Promise<void> {
  await tasks().insertMany(ids.map((_id, index) => ({ _id, dueAt: NOW_MS + index })));
}

async function claimed(nowMs: number, limit = 10, of = rows): Promise<string[]> {
  return (await of.claim(nowMs, limit)).map(({ _id }) => _id);
}

async function claimOnly(nowMs: number, of = rows): Promise<Claimed<Task>> {
  const [only, ...others] = await of.claim(nowMs, 10);
  if (only === undefined || others.length > 0) throw new Error('Not one row was claimed');
  return only;
}

/** Applies the effect of tasks and ends their claims. */
async function settle(done: readonly Claimed<Task>[], next?: { dueAt: number }): Promise<void> {
  await database.withTransaction(async (tx) => {
    await tasks().updateMany({ _id: { $in: done.map(({ _id }) => _id) } }, { $inc: { effects: 1 } }, { session: tx });
    await rows.settle(tx, done, next);
  });
}

describe('a claim', () => {
  it('takes what is due, the longest first, at most as many as asked for; a due time is all that a row needs', async () => {
    await haveDue('a', 'b', 'c');
    await tasks().insertMany([{ _id: 'none' }, { _id: 'null', dueAt: null }]);
    expect(await claimed(NOW_MS - 1)).toEqual([]);
    expect(await claimed(NOW_MS + 1, 1)).toEqual(['a']);
    expect(await claimed(NOW_MS + 5)).toEqual(['b', 'c']);
    expect(await claimed(NOW_MS + 5)).toEqual([]);
  });

  it('is exclusive: of many processes that claim at once, one gets each row', async () => {
    await haveDue(...'abcdefghij');
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimed(NOW_MS + 10, 4)));
    expect(claims.flat().length).toBe(new Set(claims.flat()).size);
    expect(claims.flat().length).toBeGreaterThan(0);
  });

  it('ends with its lease, so that another process takes over from one that was killed', async () => {
    await haveDue('a');
    expect(await claimed(NOW_MS)).toEqual(['a']);
    expect(await claimed(NOW_MS + LEASE_MS - 1)).toEqual([]);
    expect(await claimed(NOW_MS + LEASE_MS)).toEqual(['a']);
  });

  it('takes one that was claimed before without success alone, and for longer each time', async () => {
    await haveDue('killer', 'innocent', 'other');
    expect(await claimed(NOW_MS + 10)).toEqual(['killer', 'innocent', 'other']);
    const secondMs = NOW_MS + 10 + LEASE_MS;
    expect(await claimed(secondMs)).toEqual(['killer']);
    expect(await claimed(secondMs)).toEqual(['innocent']);
    expect(await claimed(secondMs + LEASE_MS)).toEqual(['other']);
    expect(await claimed(secondMs + 2 * LEASE_MS)).toContain('killer');
  });

  it('passes over rows that failed before, where others are due for longer', async () => {
    await haveDue('a', 'b', 'failed', 'c');
    await tasks().updateOne({ _id: 'failed' }, { $set: { attempts: 1 } });
    expect(await claimed(NOW_MS + 10)).toEqual(['a', 'b', 'c']);
    expect(await claimed(NOW_MS + 10)).toEqual(['failed']);
  });

  it('of one row takes that one if it is due, and nobody has it', async () => {
    await haveDue('a', 'b');
    expect(await rows.claimOne('b', NOW_MS)).toBeUndefined();
    expect(await rows.claimOne('b', NOW_MS + 1)).toMatchObject({ _id: 'b', attempts: 1 });
    expect(await rows.claimOne('b', NOW_MS + 1)).toBeUndefined();
    expect(await rows.claimOne('none', NOW_MS + 1)).toBeUndefined();
    expect(await claimed(NOW_MS + 1)).toEqual(['a']);
  });

  it('reads what it is told to of a row', async () => {
    await tasks().insertOne({ _id: 'a', dueAt: NOW_MS, effects: 7 });
    const slim = createScheduledTasks(tasks(), { leaseMs: LEASE_MS, projection: { effects: 0 } });
    expect(await slim.claim(NOW_MS, 1)).toEqual([expect.not.objectContaining({ effects: 7 })]);
  });
});

describe('the commands of a claim', () => {
  it('are three for many rows, and one where nothing is due', async () => {
    await haveDue(...'abcdefghij');
    const many = await sentCommands(database, () => claimed(NOW_MS + 10));
    expect(many.map(({ name }) => name)).toEqual(['find', 'update', 'find']);
    const none = await sentCommands(database, () => claimed(NOW_MS + 10));
    expect(none.map(({ name }) => name)).toEqual(['find']);
  });

  it('read nothing else than what is due and free', async () => {
    const others = Array.from({ length: 300 }, (_, index) => ({ _id: `other-${index}` }));
    await tasks().insertMany([
      ...others.slice(0, 100),
      ...others.slice(100, 200).map((other) => ({ ...other, dueAt: null })),
      ...others.slice(200).map((other, index) => ({ ...other, dueAt: NOW_MS + 1_000 + index })),
    ]);
    await haveDue('leased', 'a', 'b');
    await rows.claim(NOW_MS, 1);
    const commands = await explainSent(database, () => claimed(NOW_MS + 10));
    expect(commands.map(({ plan }) => plan.split(':')[0])).toEqual(['find tasks', 'update tasks', 'find tasks']);
    for (const { stats } of commands) expect(stats.totalDocsExamined).toBeLessThanOrEqual(2);
  });

  it('look only at what they chose, however much is due', async () => {
    await tasks().insertMany(Array.from({ length: 500 }, (_, index) => ({ _id: `${index}`, dueAt: NOW_MS })));
    const commands = await explainSent(database, () => claimed(NOW_MS, 10));
    for (const { stats } of commands) expect(stats.totalKeysExamined).toBeLessThanOrEqual(30);
  });
});

describe('what is settled', () => {
  it('is due no more, or next at the time that is said; of many rows in one command', async () => {
    await haveDue('a', 'b', 'c');
    const [a, ...others] = await rows.claim(NOW_MS + 10, 10);
    const sent = await sentCommands(database, () => settle(others));
    expect(sent.filter(({ name }) => name === 'update')).toHaveLength(2);
    await settle([a!], { dueAt: NOW_MS + 5_000 });
    expect(await task('b')).toEqual({ _id: 'b', dueAt: null, leaseUntil: 0, claim: null, attempts: 0, effects: 1 });
    expect(await claimed(NOW_MS + 4_999)).toEqual([]);
    expect(await claimed(NOW_MS + 5_000)).toEqual(['a']);
  });

  it('has no effect at all where another process has taken one of the rows over', async () => {
    await haveDue('a', 'b');
    const late = await rows.claim(NOW_MS + 1, 10);
    const taken = await rows.claimOne('b', NOW_MS + 1 + LEASE_MS);
    await expect(settle(late)).rejects.toThrow(ClaimLostError);
    expect(
      (
        await tasks()
          .find({ effects: { $exists: true } })
          .toArray()
      ).length,
    ).toBe(0);
    expect(await task('b')).toMatchObject({ claim: taken!.claim, dueAt: NOW_MS + 1 });
  });

  it('takes effect once where two processes settle the same claim', async () => {
    await haveDue('a');
    const done = await rows.claim(NOW_MS, 1);
    const settled = await Promise.allSettled([settle(done), settle(done), settle(done)]);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await task('a')).toMatchObject({ effects: 1 });
  });

  it('stays due where it was made due again after it was claimed', async () => {
    await haveDue('a', 'b');
    const done = await rows.claim(NOW_MS + 1, 10);
    await tasks().updateOne({ _id: 'b' }, { $max: { dueAt: NOW_MS + 500 } });
    await settle(done);
    expect(await task('a')).toMatchObject({ dueAt: null });
    expect(await task('b')).toMatchObject({ dueAt: NOW_MS + 500, leaseUntil: 0, attempts: 0 });
    await rows.claim(NOW_MS + 500, 10);
  });
});

describe('what is made due', () => {
  it('is due at once, whenever it was due before, also where it was given up', async () => {
    await tasks().insertMany([
      { _id: 'none' },
      { _id: 'given up', dueAt: null, givenUpAt: NOW_MS, attempts: 3 },
      { _id: 'later', dueAt: NOW_MS + 5_000 },
      { _id: 'other', dueAt: NOW_MS + 5_000 },
    ]);
    await rows.makeDue({ _id: { $ne: 'other' } }, NOW_MS);
    const ids = [...(await claimed(NOW_MS)), ...(await claimed(NOW_MS))];
    expect(ids.toSorted()).toEqual(['given up', 'later', 'none']);
  });

  it('is done once more where a process has it in hand, be it at the same moment', async () => {
    await haveDue('a');
    const done = await rows.claim(NOW_MS, 1);
    await rows.makeDue({ _id: 'a' }, NOW_MS);
    await settle(done);
    expect(await claimed(NOW_MS)).toEqual(['a']);
  });
});

describe('what is given back', () => {
  it('is free at once, and counts no failure', async () => {
    await haveDue('a', 'b', 'c');
    const [a, ...others] = await rows.claim(NOW_MS + 10, 10);
    await rows.giveBack(others);
    expect(await rows.stillHeld([a!, ...others])).toEqual([a]);
    expect(await task('b')).toMatchObject({ dueAt: NOW_MS + 1, leaseUntil: 0, claim: null, attempts: 0 });
    expect(await claimed(NOW_MS + 10)).toEqual(['b', 'c']);
  });
});

describe('what fails', () => {
  it('comes again after a time that grows with every failure, up to ten minutes', async () => {
    await haveDue('a');
    let nowMs = NOW_MS;
    const delays: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      expect(await rows.putOff(await claimOnly(nowMs), nowMs, 'why')).toBe('put off');
      const { dueAt } = (await task('a'))!;
      delays.push(dueAt! - nowMs);
      nowMs = dueAt!;
    }
    expect(delays.slice(0, 3)).toEqual([2_000, 4_000, 8_000]);
    expect(delays.at(-1)).toBe(600_000);
  });

  it('is not hurried by what makes it due meanwhile', async () => {
    await haveDue('a');
    const failed = { ...(await claimOnly(NOW_MS)), attempts: 20 };
    await tasks().updateOne({ _id: 'a' }, { $max: { dueAt: NOW_MS + 500 } });
    await rows.putOff(failed, NOW_MS, 'why');
    expect(await task('a')).toMatchObject({ dueAt: NOW_MS + 600_000 });
  });

  it('is left alone by a process whose lease another one has taken over', async () => {
    await haveDue('a');
    const late = await claimOnly(NOW_MS);
    await claimOnly(NOW_MS + LEASE_MS);
    const held = await task('a');
    await rows.giveBack([late]);
    expect(await rows.putOff(late, NOW_MS + LEASE_MS, 'why')).toBe('taken over');
    expect(await rows.extend([late], NOW_MS + LEASE_MS)).toBe(0);
    expect(await rows.stillHeld([late])).toEqual([]);
    expect(await task('a')).toEqual(held);
  });
});

describe('a lease', () => {
  it('lasts again for its whole time when it is extended', async () => {
    await haveDue('a', 'b');
    const held = await rows.claim(NOW_MS + 1, 10);
    expect(await rows.extend(held, NOW_MS + 30_000)).toBe(2);
    expect(await claimed(NOW_MS + 29_999 + LEASE_MS)).toEqual([]);
    expect(await claimed(NOW_MS + 30_000 + LEASE_MS)).toEqual(['a']);
  });
});

describe('a row that fails as often as it may', () => {
  let bounded: ScheduledTasks<Task>;

  beforeEach(() => {
    bounded = createScheduledTasks(tasks(), { leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS });
  });

  /** Lets the task fail until it is given up; returns the time of that. */
  async function failUntilGivenUp(reason: string): Promise<number> {
    let nowMs = NOW_MS;
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      expect(await bounded.putOff(await claimOnly(nowMs, bounded), nowMs, reason)).toBe('put off');
      nowMs = (await task('a'))!.dueAt!;
    }
    expect(await bounded.putOff(await claimOnly(nowMs, bounded), nowMs, reason)).toBe('given up');
    return nowMs;
  }

  it('is given up, with the reason', async () => {
    await haveDue('a');
    const atMs = await failUntilGivenUp(`$why ${'!'.repeat(400)}`);
    expect(await task('a')).toMatchObject({ dueAt: null, claim: null, givenUpAt: atMs, attempts: MAX_ATTEMPTS });
    expect((await task('a'))!.givenUpReason).toBe(`$why ${'!'.repeat(295)}`);
    expect(await claimed(Number.MAX_SAFE_INTEGER, 10, bounded)).toEqual([]);
  });

  it('is tried as often again once something makes it due', async () => {
    await haveDue('a');
    await failUntilGivenUp('why');
    await tasks().updateOne({ _id: 'a' }, { $max: { dueAt: NOW_MS } });
    const again = await claimOnly(NOW_MS, bounded);
    expect(again).toMatchObject({ attempts: 1, givenUpAt: null, givenUpReason: null });
    expect(await bounded.putOff(again, NOW_MS, 'why')).toBe('put off');
  });

  it('is given up where it ends its process each time, and keeps nothing else waiting', async () => {
    await haveDue('killer');
    let nowMs = NOW_MS;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      expect(await claimed(nowMs, 10, bounded)).toEqual(['killer']);
      nowMs += 40 * LEASE_MS;
    }
    await tasks().insertOne({ _id: 'other', dueAt: nowMs });
    expect(await claimed(nowMs, 1, bounded)).toEqual(['other']);
    expect(await task('killer')).toMatchObject({ dueAt: null, givenUpAt: nowMs });
    expect((await task('killer'))!.givenUpReason).toMatch(/never came to an end/);
  });

  it('stays due where it was made due again during its last attempt', async () => {
    await haveDue('a');
    await tasks().updateOne({ _id: 'a' }, { $set: { attempts: MAX_ATTEMPTS - 1 } });
    const last = await claimOnly(NOW_MS, bounded);
    await tasks().updateOne({ _id: 'a' }, { $max: { dueAt: NOW_MS + 500 } });
    await bounded.putOff(last, NOW_MS, 'why');
    expect(await claimOnly(NOW_MS + 500, bounded)).toMatchObject({ attempts: 1 });
  });
});

describe('the backlog', () => {
  it('is what is due, in hand or not, since when, and what was given up', async () => {
    expect(await rows.backlog(NOW_MS)).toEqual({ waiting: 0, oldestAgeMs: 0, givenUp: 0 });
    await haveDue('a', 'b', 'c');
    await tasks().insertOne({ _id: 'given up', dueAt: null, givenUpAt: NOW_MS });
    await rows.claim(NOW_MS, 1);
    expect(await rows.backlog(NOW_MS + 1)).toEqual({ waiting: 2, oldestAgeMs: 1, givenUp: 1 });
  });

  it('of a project is its own, among the first 1,000 of all', async () => {
    const of = (projectId: string, dueAt: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({ _id: `${projectId} ${index}`, projectId, dueAt }));
    await tasks().insertMany([...of('own', NOW_MS - 5, 2), ...of('later', NOW_MS + 1, 1), ...of('other', NOW_MS, 998)]);
    expect(await rows.backlogOf('own', NOW_MS)).toEqual({ waiting: 2, oldestAgeMs: 5 });
    expect(await rows.backlogOf('later', NOW_MS)).toEqual({ waiting: 0, oldestAgeMs: 0 });
    await tasks().insertMany(of('earlier', NOW_MS - 9, 999));
    expect(await rows.backlogOf('own', NOW_MS)).toEqual({ waiting: 1, oldestAgeMs: 5 });
  });

  it('is counted by index, and up to 10,000', async () => {
    await tasks().insertMany(Array.from({ length: 10_050 }, (_, index) => ({ _id: `${index}`, dueAt: NOW_MS })));
    await explainSent(database, () => rows.backlog(NOW_MS));
    expect((await rows.backlog(NOW_MS)).waiting).toBe(10_000);
  });
});
