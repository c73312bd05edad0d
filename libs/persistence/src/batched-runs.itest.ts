import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { fixedClock, silentLogger, useTestEnvironment } from '@clew/testing';
import {
  connectMongo,
  createScheduledTasks,
  createRunNotes,
  nativeDb,
  takeTurn,
  type Database,
  type TaskContext,
  type ScheduledTasks,
  type NotedBatch,
  type RunRow,
} from './index.ts';

interface Position {
  round: number;
  part: string;
}
type Run = RunRow<Position> & { services?: Record<string, Record<string, number>>; completedAt?: number };

const NOW_MS = 1_780_000_000_000;
const LEASE_MS = 60_000;
const SETTLE_MS = 5_000;
const FIRST: Position = { round: 1, part: 'a' };
const SECOND: Position = { round: 1, part: 'b' };

const environment = useTestEnvironment();
const clock = fixedClock(NOW_MS);
let database: Database;
let rows: ScheduledTasks<Run>;

const runs = () => nativeDb(database.connection).collection<Run>('runs');
const run = async () => await runs().findOne({ _id: 'run' });

beforeAll(async () => {
  const { mongoUrl: url, database: name } = environment;
  database = await connectMongo({ url, database: name, appName: 'test', logger: silentLogger() });
  rows = createScheduledTasks(runs(), { leaseMs: LEASE_MS });
});

beforeEach(async () => {
  await runs().deleteMany({});
  await runs().insertOne({ _id: 'run', position: null, dueAt: NOW_MS });
});

afterAll(() => database.close());

/** Runs one turn, claimed at that time; returns the positions it worked at. */
async function turn(nowMs: number, work: (position: Position) => Promise<NotedBatch<Position>>): Promise<Position[]> {
  const [claimed] = await rows.claim(nowMs, 1);
  if (claimed === undefined) throw new Error('The run is not due');
  const signal = new AbortController().signal;
  const context: TaskContext = { heartbeat: () => undefined, signal, stopping: signal };
  const worked: Position[] = [];
  const notes = createRunNotes<Run, Position>(database, runs(), rows);
  await takeTurn(claimed, context, {
    ...{ notes, clock, settleMs: SETTLE_MS, first: FIRST },
    work: (position) => {
      worked.push(position);
      return work(position);
    },
    end: () => notes.end(claimed, { completedAt: NOW_MS }),
  });
  return worked;
}

it('a run notes each batch, waits between its rounds, and goes on where it stood until nothing is left', async () => {
  const next = new Map<string, Position>([
    ['a1', SECOND],
    ['b1', { ...FIRST, round: 2 }],
  ]);
  const work = ({ part, round }: Position) =>
    Promise.resolve({ removed: { rows: 2, files: 0 }, next: next.get(`${part}${round}`) });
  expect(await turn(NOW_MS, work)).toEqual([FIRST, SECOND]);
  expect(await run()).toMatchObject({ position: { round: 2, part: 'a' }, dueAt: NOW_MS + SETTLE_MS });
  expect(await turn(NOW_MS + SETTLE_MS, work)).toEqual([{ round: 2, part: 'a' }]);
  expect(await run()).toMatchObject({
    ...{ position: null, dueAt: null, completedAt: NOW_MS },
    services: { a: { rows: 4 }, b: { rows: 2 } },
  });
});

it('a run that another process has taken over ends its turn with the batch in hand, and notes nothing of it', async () => {
  const worked = await turn(NOW_MS, async () => {
    await rows.claim(NOW_MS + LEASE_MS, 1);
    return { removed: { rows: 1 }, next: SECOND };
  });
  expect(worked).toEqual([FIRST]);
  expect(await run()).toMatchObject({ position: null, dueAt: NOW_MS });
  expect((await run())?.services).toBeUndefined();
});
