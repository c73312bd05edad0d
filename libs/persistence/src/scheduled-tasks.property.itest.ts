import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { backoffMs } from '@clew/kernel';
import { propertyRuns, silentLogger, useTestEnvironment } from '@clew/testing';
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

/** Number of times the task was made due and was done, as counted by the task in the transactions of both. */
type Task = ScheduledTask & { wanted: number; done: number };

const RUNS = propertyRuns(10);
const LEASE_MS = 1_000;
const MAX_ATTEMPTS = 3;
const BACK_OFF = { firstMs: 500, maxMs: 4_000 };
const START_MS = 1_000_000;
/** Few ids, so that much happens to each. */
const IDS = ['a', 'b', 'c'] as const;
const CLAIMERS = 2;

const environment = useTestEnvironment();
let database: Database;
let rows: ScheduledTasks<Task>;

const tasks = () => nativeDb(database.connection).collection<Task>('tasks');

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  await ensureScheduleIndexes(tasks());
  rows = createScheduledTasks(tasks(), { leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS, backOff: BACK_OFF });
});

afterAll(() => database.close());

type Action =
  | { kind: 'want'; id: string; inMs: number }
  | { kind: 'claim'; by: number; limit: number }
  | { kind: 'settle' | 'settle for later' | 'fail' | 'give back' | 'extend' | 'crash'; by: number }
  | { kind: 'wait'; ms: number };

const ms = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 5_000 }));
const by = fc.nat({ max: CLAIMERS - 1 });
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('want' as const),
      id: fc.constantFrom(...IDS),
      inMs: fc.integer({ min: 0, max: 300 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('claim' as const), by, limit: fc.integer({ min: 1, max: 5 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'settle',
        'settle',
        'settle for later',
        'fail',
        'fail',
        'fail',
        'give back',
        'extend',
        'crash',
      ),
      by,
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms }) },
);

/** Expected state of a row, as the model computes it. */
interface Modelled {
  dueAt: number | null;
  attempts: number;
  claim: string | null;
  leaseUntil: number;
  givenUp: boolean;
}

/** Claimers, each with the claims it believes to hold, and the model of the rows that they share. */
class World {
  nowMs = START_MS;
  readonly model = new Map<string, Modelled>();
  readonly #hands: Claimed<Task>[][] = Array.from({ length: CLAIMERS }, () => []);

  async run(actions: readonly Action[]): Promise<void> {
    for (const one of actions) {
      await this.#act(one);
      await this.#check();
    }
  }

  async #act(one: Action): Promise<void> {
    if (one.kind === 'wait') this.nowMs += one.ms;
    else if (one.kind === 'want') await this.#want(one.id, this.nowMs + one.inMs);
    else if (one.kind === 'claim') await this.#claim(one.by, one.limit);
    else await this.#end(one.kind, this.#hands[one.by]!);
  }

  async #want(id: string, dueAt: number): Promise<void> {
    await tasks().updateOne(
      { _id: id },
      { $max: { dueAt }, $inc: { wanted: 1 }, $setOnInsert: { done: 0 } },
      { upsert: true },
    );
    const row = this.model.get(id) ?? { dueAt: null, attempts: 0, claim: null, leaseUntil: 0, givenUp: false };
    this.model.set(id, { ...row, dueAt: Math.max(row.dueAt ?? 0, dueAt) });
  }

  async #claim(claimer: number, limit: number): Promise<void> {
    const free = [...this.model].filter(
      ([, { dueAt, leaseUntil }]) => dueAt !== null && dueAt <= this.nowMs && leaseUntil <= this.nowMs,
    );
    const claimed = await rows.claim(this.nowMs, limit);
    this.#hands[claimer] = [...this.#hands[claimer]!, ...claimed];
    const taken = new Set(claimed.map(({ _id }) => _id));
    // Nobody else holds a claimed row, and no claimable row was held back.
    expect(free.map(([id]) => id)).toEqual(expect.arrayContaining([...taken]));
    const able = free.filter(([, { attempts, givenUp }]) => givenUp || attempts < MAX_ATTEMPTS);
    expect(taken.size > 0).toBe(able.length > 0);
    expect(taken.size).toBeLessThanOrEqual(limit);
    await this.#noteSpent(free.filter((entry) => !able.includes(entry)));
    for (const { _id, claim, attempts, leaseUntil } of claimed) {
      const before = this.model.get(_id)!;
      expect(attempts).toBe(before.givenUp ? 1 : before.attempts + 1);
      if (before.attempts > 0) expect(claimed).toHaveLength(1);
      expect(leaseUntil).toBe(this.nowMs + backoffMs(attempts, { firstMs: LEASE_MS, maxMs: 32 * LEASE_MS }));
      this.model.set(_id, { ...before, claim, attempts, leaseUntil: leaseUntil!, givenUp: false });
    }
  }

  /** Notes that rows without attempts left are given up when a claim meets them. */
  async #noteSpent(spent: readonly (readonly [string, Modelled])[]): Promise<void> {
    const ids = spent.map(([id]) => id);
    for await (const { _id } of tasks().find({ _id: { $in: ids }, givenUpAt: this.nowMs, dueAt: null })) {
      this.model.set(_id, { ...this.model.get(_id)!, dueAt: null, claim: null, leaseUntil: 0, givenUp: true });
    }
  }

  async #end(kind: Extract<Action, { by: number }>['kind'], hand: Claimed<Task>[]): Promise<void> {
    const held = hand.filter(({ _id, claim }) => this.model.get(_id)!.claim === claim);
    if (kind === 'settle' || kind === 'settle for later') await this.#settle(hand, held, kind === 'settle for later');
    if (kind === 'fail') await this.#fail(hand);
    if (kind === 'give back') await this.#giveBack(hand, held);
    if (kind === 'extend') {
      expect(await rows.extend(hand, this.nowMs)).toBe(held.length);
      for (const { _id } of held) {
        const row = this.model.get(_id)!;
        this.model.set(_id, { ...row, leaseUntil: Math.max(row.leaseUntil, this.nowMs + LEASE_MS) });
      }
    } else hand.length = 0;
  }

  async #settle(hand: readonly Claimed<Task>[], held: readonly Claimed<Task>[], isPeriodic: boolean): Promise<void> {
    const next = isPeriodic ? { dueAt: this.nowMs + 1_000 } : undefined;
    const settling = database.withTransaction(async (tx) => {
      await tasks().updateMany({ _id: { $in: hand.map(({ _id }) => _id) } }, [{ $set: { done: '$wanted' } }], {
        session: tx,
      });
      await rows.settle(tx, hand, next);
    });
    if (held.length < hand.length) return await expect(settling).rejects.toThrow(ClaimLostError);
    await settling;
    for (const { _id, dueAt } of held) {
      const row = this.model.get(_id)!;
      const again = row.dueAt === dueAt ? (next?.dueAt ?? null) : row.dueAt;
      this.model.set(_id, { ...row, dueAt: again, attempts: 0, claim: null, leaseUntil: 0 });
    }
  }

  async #fail(hand: readonly Claimed<Task>[]): Promise<void> {
    for (const one of hand) {
      const row = this.model.get(one._id)!;
      const isLost = row.claim !== one.claim;
      const isLast = one.attempts >= MAX_ATTEMPTS;
      const outcome = await rows.putOff(one, this.nowMs, 'why');
      expect(outcome).toBe(isLost ? 'taken over' : isLast ? 'given up' : 'put off');
      if (isLost) continue;
      const laterMs = Math.max(row.dueAt ?? 0, this.nowMs + backoffMs(one.attempts, BACK_OFF));
      const dueAt = isLast ? (row.dueAt === one.dueAt ? null : row.dueAt) : laterMs;
      this.model.set(one._id, { ...row, dueAt, claim: null, leaseUntil: 0, givenUp: isLast });
    }
  }

  async #giveBack(hand: readonly Claimed<Task>[], held: readonly Claimed<Task>[]): Promise<void> {
    expect(await rows.stillHeld(hand)).toEqual(held);
    await rows.giveBack(hand);
    for (const { _id, attempts } of held) {
      this.model.set(_id, { ...this.model.get(_id)!, attempts: attempts - 1, claim: null, leaseUntil: 0 });
    }
  }

  async #check(): Promise<void> {
    const stored = new Map((await tasks().find().toArray()).map((row) => [row._id, row]));
    for (const [id, { dueAt, attempts, claim, leaseUntil, givenUp }] of this.model) {
      const row = stored.get(id)!;
      expect({ ...row, givenUp: typeof row.givenUpAt === 'number' }).toMatchObject({ dueAt, givenUp });
      expect([row.attempts ?? 0, row.claim ?? null, row.leaseUntil ?? 0]).toEqual([attempts, claim, leaseUntil]);
      // A task that is not done is due or was given up: none is lost.
      if (row.done < row.wanted && !givenUp) expect(row.dueAt).toEqual(expect.any(Number));
    }
  }
}

describe('rows of several claimers that crash, fail and are made due again', () => {
  it('are never in two live claims, are not lost, and come as often as stated', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 50, size: 'max' }), async (actions) => {
        await tasks().deleteMany({});
        const world = new World();
        await world.run(actions);
        // In the end all tasks are done or were given up.
        while ([...world.model.values()].some(({ dueAt }) => dueAt !== null)) {
          world.nowMs += 40 * LEASE_MS;
          await world.run([
            { kind: 'claim', by: 0, limit: 5 },
            { kind: 'settle', by: 0 },
          ]);
        }
        const left = await tasks()
          .find({ $expr: { $lt: ['$done', '$wanted'] }, givenUpAt: { $not: { $gt: 0 } } })
          .toArray();
        expect(left).toEqual([]);
      }),
      { ...RUNS },
    );
  }, 300_000);

  it('are taken by one of them each, where they all claim at the same moment', async () => {
    const many = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(many, fc.integer({ min: 1, max: 20 }), async (limits, count) => {
        await tasks().deleteMany({});
        const due = Array.from({ length: count }, (_, index) => ({
          _id: `${index}`,
          dueAt: START_MS,
          attempts: index % 2,
        }));
        await tasks().insertMany(due.map((row) => ({ ...row, wanted: 1, done: 0 })));
        let left = count;
        while (left > 0) {
          const claims = (await Promise.all(limits.map((limit) => rows.claim(START_MS, limit)))).flat();
          expect(new Set(claims.map(({ _id }) => _id)).size).toBe(claims.length);
          expect(claims.length).toBeGreaterThan(0);
          left -= claims.length;
        }
        expect(left).toBe(0);
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});
