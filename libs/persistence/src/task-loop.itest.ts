import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkOutcome } from '@clew/runtime';
import { createTcpFault, eventually, fixedClock, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import type { FixedClock } from '@clew/testing';
import {
  connectMongo,
  createScheduledTasks,
  ensureScheduleIndexes,
  nativeDb,
  startTaskLoop,
  type Claimed,
  type Database,
  type TaskContext,
  type TaskLoop,
  type TaskLoopOptions,
  type ScheduledTask,
  type ScheduledTasks,
} from './index.ts';

type Task = ScheduledTask & { done?: number };

const LEASE_MS = 60_000;
/** Long enough that only a wake-up explains any earlier work. */
const LONG_MS = 60_000;

const environment = useTestEnvironment();
const cleanup = useCleanup();
let database: Database;
let clock: FixedClock;
let rows: ScheduledTasks<Task>;

const tasks = () => nativeDb(database.connection).collection<Task>('tasks');
const task = async (id: string) => (await tasks().findOne({ _id: id })) ?? undefined;
const open = (url: string, more: object = {}) =>
  connectMongo({ url, database: environment.database, appName: 'test', logger: silentLogger(), ...more });

beforeAll(async () => {
  database = await open(environment.mongoUrl);
  await ensureScheduleIndexes(tasks());
});

beforeEach(async () => {
  await tasks().deleteMany({});
  clock = fixedClock(1_780_000_000_000);
  rows = createScheduledTasks(tasks(), { leaseMs: LEASE_MS, maxAttempts: 2 });
});

afterAll(() => database.close());

async function haveDue(...ids: string[]): Promise<void> {
  await tasks().insertMany(ids.map((_id, index) => ({ _id, dueAt: clock.now() - ids.length + index })));
}

/** Settles a group in one transaction, as product code does. */
async function finish(claimed: readonly Claimed<Task>[]): Promise<void> {
  await database.withTransaction(async (tx) => {
    const _id = { $in: claimed.map((row) => row._id) };
    await tasks().updateMany({ _id }, { $inc: { done: 1 } }, { session: tx });
    await rows.settle(tx, claimed);
  });
}

function start(options: Partial<TaskLoopOptions<Task>> & Pick<TaskLoopOptions<Task>, 'handle'>): TaskLoop {
  const loop = startTaskLoop({ rows, clock, logger: silentLogger(), name: 'tasks', pollMs: 10, ...options });
  cleanup(() => loop.stop());
  return loop;
}

/** Creates a handler that reports when it is reached, and continues when the test releases it. */
function held(finishing: (claimed: readonly Claimed<Task>[], context: TaskContext) => Promise<void> = finish) {
  const reached = Promise.withResolvers<TaskContext>();
  const released = Promise.withResolvers<void>();
  const groups: string[][] = [];
  return {
    groups,
    reached: reached.promise,
    release: () => released.resolve(),
    async handle(claimed: readonly Claimed<Task>[], context: TaskContext) {
      groups.push(claimed.map(({ _id }) => _id));
      reached.resolve(context);
      await released.promise;
      await finishing(claimed, context);
    },
  };
}

const allDone = (...ids: string[]) =>
  eventually(async () =>
    expect(await tasks().countDocuments({ _id: { $in: ids }, done: 1, dueAt: null })).toBe(ids.length),
  );

describe('a loop', () => {
  it('hands over what is due, together, at most as many as it may', async () => {
    await haveDue('a', 'b', 'c');
    const groups: string[][] = [];
    start({
      limit: 2,
      async handle(claimed) {
        groups.push(claimed.map(({ _id }) => _id));
        await finish(claimed);
      },
    });
    await allDone('a', 'b', 'c');
    expect(groups).toEqual([['a', 'b'], ['c']]);
  });

  it('tells each group with how it ended', async () => {
    await haveDue('a', 'b', 'c');
    const ended: WorkOutcome[] = [];
    const loop = start({
      limit: 2,
      async handle(claimed) {
        if (claimed.some(({ _id }) => _id === 'a')) throw new Error('no');
        await finish(claimed);
      },
    });
    loop.onWorkEnded?.(({ outcome }) => ended.push(outcome));
    await allDone('b', 'c');
    await eventually(() => expect(ended).toEqual(['failed', 'done']));
  });

  it('takes what becomes due as time goes by', async () => {
    await tasks().insertOne({ _id: 'a', dueAt: clock.now() + 1_000 });
    start({ handle: finish });
    clock.advance(1_000);
    await allDone('a');
  });

  it('looks at once when it is woken', async () => {
    const loop = start({ handle: finish, pollMs: LONG_MS });
    await haveDue('a');
    // The loop may have looked before or after the row was inserted.
    loop.wake();
    await allDone('a');
    await haveDue('b');
    loop.wake();
    await allDone('b');
  });

  it('has as many groups in hand as it may, and no more', async () => {
    await haveDue('a', 'b', 'c', 'd');
    const handler = held();
    start({ handle: handler.handle, limit: 1, concurrency: 3 });
    await eventually(() => expect(handler.groups).toHaveLength(3));
    expect((await rows.claim(clock.now(), 10)).map(({ _id }) => _id)).toEqual(['d']);
    handler.release();
    await allDone('a', 'b', 'c');
    expect(handler.groups).toHaveLength(3);
  });

  it('tells its backlog', async () => {
    await haveDue('a', 'b');
    const handler = held();
    const loop = start({ handle: handler.handle });
    await handler.reached;
    expect(await loop.backlog()).toEqual({ waiting: 2, oldestAgeMs: 2, givenUp: 0 });
    handler.release();
  });
});

describe('a group that fails', () => {
  const failing = (id: string) => async (claimed: readonly Claimed<Task>[]) => {
    if (claimed.some(({ _id }) => _id === id)) throw new Error(`a secret about ${id}`);
    await finish(claimed);
  };

  it('is taken apart: only the row at fault is put off, and in the end given up with a reason without secrets', async () => {
    await haveDue('a', 'poison', 'b');
    start({ handle: failing('poison') });
    await allDone('a', 'b');
    await eventually(async () => expect(await task('poison')).toMatchObject({ attempts: 1, claim: null }));
    const { dueAt } = (await task('poison'))!;
    expect(dueAt).toBe(clock.now() + 2_000);
    clock.advance(2_000);
    await eventually(async () => expect(await task('poison')).toMatchObject({ givenUpAt: clock.now(), dueAt: null }));
    expect((await task('poison'))!.givenUpReason).toBe('Error');
  });

  it('gives each row of it to the handler again only where it is not done yet', async () => {
    await haveDue('a', 'b', 'c');
    const calls: string[][] = [];
    start({
      async handle(claimed) {
        calls.push(claimed.map(({ _id }) => _id));
        await finish(claimed.slice(0, 1));
        if (claimed.length > 1) throw new Error('no');
      },
    });
    await allDone('a', 'b', 'c');
    expect(calls).toEqual([['a', 'b', 'c'], ['b'], ['c']]);
  });

  it('leaves a row to the process that has taken it over', async () => {
    await haveDue('a', 'b');
    const handler = held();
    start({ handle: handler.handle, pollMs: LONG_MS });
    await handler.reached;
    clock.advance(LEASE_MS);
    const other = await rows.claimOne('a', clock.now());
    handler.release();
    await allDone('b');
    expect(await task('a')).toMatchObject({ claim: other!.claim, attempts: 2 });
    expect((await task('a'))!.done).toBeUndefined();
  });
});

describe('work that takes long', () => {
  it('keeps its rows while it heartbeats', async () => {
    await haveDue('a');
    const handler = held();
    start({ handle: handler.handle, pollMs: LONG_MS });
    const { heartbeat, signal } = await handler.reached;
    for (let elapsedMs = 0; elapsedMs < 3 * LEASE_MS; elapsedMs += LEASE_MS / 2) {
      clock.advance(LEASE_MS / 2);
      await eventually(async () => {
        heartbeat();
        expect((await task('a'))!.leaseUntil).toBe(clock.now() + LEASE_MS);
      });
    }
    expect(await rows.claim(clock.now(), 10)).toEqual([]);
    expect(signal.aborted).toBe(false);
    handler.release();
    await allDone('a');
  });

  it('is told when another process has taken it over', async () => {
    await haveDue('a');
    const handler = held();
    start({ handle: handler.handle, pollMs: LONG_MS });
    const { heartbeat, signal } = await handler.reached;
    clock.advance(LEASE_MS);
    await rows.claim(clock.now(), 1);
    heartbeat();
    await eventually(() => expect(signal.aborted).toBe(true));
    handler.release();
  });
});

describe('the heartbeat of a loop', () => {
  it('grows while a group stays in hand, unless that heartbeats', async () => {
    await haveDue('a');
    const handler = held();
    const loop = start({ handle: handler.handle });
    const { heartbeat } = await handler.reached;
    await eventually(() => expect(loop.heartbeatAgeMs()).toBeGreaterThan(100));
    heartbeat();
    expect(loop.heartbeatAgeMs()).toBeLessThan(100);
    handler.release();
    await allDone('a');
    await eventually(() => expect(loop.heartbeatAgeMs()).toBeLessThan(100));
  });

  it('does not grow while the database does not answer, or is away, and it goes on afterwards', async () => {
    const { hostname: host, port } = new URL(environment.mongoUrl);
    const fault = await createTcpFault({ target: { host, port: Number(port) } });
    cleanup(() => fault.close());
    const away = await open(fault.through(environment.mongoUrl), {
      ...{ serverSelectionTimeoutMs: 300, socketTimeoutMs: 1_500 },
    });
    cleanup(() => away.close());
    const behind = createScheduledTasks(nativeDb(away.connection).collection<Task>('tasks'), { leaseMs: LEASE_MS });
    const stalled = fault.stallAfter('tasks');
    const loop = start({ rows: behind, handle: finish });
    await stalled;
    let maxAgeMs = 0;
    await watchAge(4_000, () => (maxAgeMs = Math.max(maxAgeMs, loop.heartbeatAgeMs())));
    fault.block();
    await watchAge(4_000, () => (maxAgeMs = Math.max(maxAgeMs, loop.heartbeatAgeMs())));
    expect(maxAgeMs).toBeLessThan(7_000);
    fault.unblock();
    await haveDue('a');
    await allDone('a');
  });
});

/** Calls `look` repeatedly for this time. */
async function watchAge(durationMs: number, look: () => void): Promise<void> {
  const untilMs = performance.now() + durationMs;
  while (performance.now() < untilMs) {
    look();
    await sleep(5);
  }
}

describe('the stop of a loop', () => {
  it('waits for what is in hand, and takes no more', async () => {
    await haveDue('a', 'b');
    const handler = held();
    const loop = start({ handle: handler.handle, limit: 1 });
    const { stopping, signal } = await handler.reached;
    const stopped = loop.stop();
    expect(stopping.aborted).toBe(true);
    handler.release();
    await stopped;
    expect(signal.aborted).toBe(false);
    expect(await task('a')).toMatchObject({ done: 1, dueAt: null });
    expect(await task('b')).not.toHaveProperty('claim');
  });

  it('gives back what is not finished in time, so that its late effect does not count', async () => {
    await haveDue('a', 'b');
    const late = Promise.withResolvers<unknown>();
    const handler = held((claimed) => {
      const finishing = finish(claimed);
      late.resolve(finishing.catch((error: unknown) => error));
      return finishing;
    });
    const loop = start({ handle: handler.handle, drainTimeoutMs: 20 });
    const { signal } = await handler.reached;
    await loop.stop();
    expect(signal.aborted).toBe(true);
    expect(await task('a')).toMatchObject({ claim: null, attempts: 0, leaseUntil: 0 });
    const [taken] = await rows.claim(clock.now(), 10);
    handler.release();
    expect(await late.promise).toMatchObject({ name: 'ClaimLostError' });
    expect(await task('a')).toMatchObject({ claim: taken!.claim });
    expect((await task('a'))!.done).toBeUndefined();
  });

  it('tries nothing alone any more, and gives it back', async () => {
    await haveDue('a', 'b');
    const handler = held(() => Promise.reject(new Error('no')));
    const loop = start({ handle: handler.handle });
    await handler.reached;
    const stopped = loop.stop();
    handler.release();
    await stopped;
    expect(handler.groups).toEqual([['a', 'b']]);
    expect(await task('b')).toMatchObject({ claim: null, attempts: 0 });
  });
});
