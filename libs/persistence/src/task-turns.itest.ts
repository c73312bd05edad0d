import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { explainSent, monitored, silentLogger, useTestEnvironment } from '@clew/testing';
import {
  connectMongo,
  createScheduledTasks,
  ensureScheduleIndexes,
  ensureTurnIndex,
  nativeDb,
  type Database,
  type ScheduledTask,
  type ScheduledTasks,
} from './index.ts';

type Task = ScheduledTask & { projectId: string };

const NOW_MS = 1_780_000_000_000;

const environment = useTestEnvironment();
let database: Database;
let rows: ScheduledTasks<Task>;

const tasks = () => nativeDb(database.connection).collection<Task>('tasks');

beforeAll(async () => {
  const { mongoUrl, database: name } = environment;
  database = await connectMongo({
    ...{ url: monitored(mongoUrl), database: name, appName: 'test' },
    logger: silentLogger(),
  });
  await ensureScheduleIndexes(tasks());
  await ensureTurnIndex(tasks());
});

beforeEach(async () => {
  await tasks().deleteMany({});
  rows = createScheduledTasks(tasks(), { leaseMs: 60_000, isInTurn: true });
});

afterAll(() => database.close());

/** Inserts rows of a project, the first of which has been due for `ageMs`. */
async function haveDue(projectId: string, count: number, ageMs: number): Promise<void> {
  const made = Array.from({ length: count }, (_, index) => ({
    ...{ _id: `${projectId}${index}`, projectId, dueAt: NOW_MS - ageMs + index },
  }));
  await tasks().insertMany(made);
}

async function claimed(limit: number): Promise<string> {
  return (await rows.claim(NOW_MS, limit)).map(({ _id }) => _id).join(' ');
}

describe('claims in turn', () => {
  it('give a project that comes late its turn before all that another has', async () => {
    await haveDue('a', 50, 100_000);
    await haveDue('b', 2, 1_000);
    expect(await claimed(3)).toBe('a0 a1 a2');
    expect(await claimed(3)).toBe('b0 b1');
    expect(await claimed(3)).toBe('a3 a4 a5');
    expect(await claimed(3)).toBe('a6 a7 a8');
  });

  it('are full where many projects have little', async () => {
    for (const projectId of 'abcdef') await haveDue(projectId, 1, 1_000);
    expect((await claimed(4)).split(' ').toSorted()).toEqual(['a0', 'b0', 'c0', 'd0']);
    expect((await claimed(4)).split(' ').toSorted()).toEqual(['e0', 'f0']);
  });

  it('take what has been due the longest, whoever has it, where that is all there is', async () => {
    await haveDue('b', 2, 2_000);
    await haveDue('a', 2, 1_000);
    expect(await claimed(5)).toBe('b0 b1 a0 a1');
  });

  it('come to what failed before, though other projects always have something due', async () => {
    await haveDue('a', 20, 3_000);
    await haveDue('b', 1, 2_000);
    await haveDue('c', 20, 1_000);
    await tasks().updateOne({ _id: 'b0' }, { $set: { attempts: 1 } });
    const turns = [await claimed(30), await claimed(30), await claimed(30)];
    expect(turns[1]).toBe('b0');
  });

  it('are found by an index, however much another project has due', async () => {
    await haveDue('a', 500, 100_000);
    await haveDue('b', 3, 1_000);
    await rows.claim(NOW_MS, 2);
    const commands = await explainSent(database, () => rows.claim(NOW_MS, 2));
    for (const { stats } of commands) expect(stats.totalKeysExamined).toBeLessThanOrEqual(6);
  });
});
