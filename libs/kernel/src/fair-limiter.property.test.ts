import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFairLimiter } from './fair-limiter.ts';

interface Task {
  id: number;
  keys: readonly string[];
  state: 'waiting' | 'running' | 'ended' | 'gone';
  end(): void;
  giveUp(): void;
}

const PROJECTS = ['a', 'b', 'c'];
const keysOfTask = fc.constantFrom(
  ...PROJECTS.map((project) => [project, `${project}/own`]),
  ...PROJECTS.map((project) => [project, 'shared']),
);
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('come' as const), keys: keysOfTask }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('end', 'give up'), which: fc.nat(50) }) },
);

/** Runs tasks in a limiter until they are told to end; `begun` contains their ids in order. */
function tasksOf(places: number, share: number) {
  const limiter = createFairLimiter({ places, share });
  const tasks: Task[] = [];
  const begun: number[] = [];
  const come = (keys: readonly string[]): Task => {
    const leaving = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const task: Task = {
      ...{ id: tasks.length, keys, state: 'waiting', end: resolve },
      giveUp: () => leaving.abort(new Error('gone')),
    };
    tasks.push(task);
    const run = async () => {
      begun.push(task.id);
      task.state = 'running';
      await promise;
    };
    limiter.run(keys, run, leaving.signal).then(
      () => (task.state = 'ended'),
      () => (task.state = 'gone'),
    );
    return task;
  };
  const inState = (state: Task['state']) => tasks.filter((task) => task.state === state);
  const runningOf = (key: string) => inState('running').filter(({ keys }) => keys.includes(key)).length;
  return { limiter, begun, come, inState, runningOf };
}

describe('a fair limiter', () => {
  it('never runs more than its places, nor more of a key than its share, and leaves no place empty that somebody may take', async () => {
    const bounds = fc.record({ places: fc.integer({ min: 1, max: 6 }), share: fc.integer({ min: 1, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(bounds, fc.array(action, { maxLength: 60 }), async ({ places, share }, actions) => {
        const { limiter, begun, come, inState, runningOf } = tasksOf(places, share);
        for (const each of actions) {
          const some = inState(each.kind === 'end' ? 'running' : 'waiting');
          if (each.kind === 'come') come(each.keys);
          else if (each.kind === 'end') some[each.which % some.length]?.end();
          else some[each.which % some.length]?.giveUp();
          await nextTurn();
          const running = inState('running');
          expect(limiter.running).toBe(running.length);
          expect(running.length).toBeLessThanOrEqual(places);
          for (const { keys } of running) for (const key of keys) expect(runningOf(key)).toBeLessThanOrEqual(share);
          const mayBegin = inState('waiting').filter(({ keys }) => keys.every((key) => runningOf(key) < share));
          if (running.length < places) expect(mayBegin).toEqual([]);
        }
        while (inState('running').length > 0) {
          inState('running').forEach((task) => task.end());
          await nextTurn();
        }
        expect({ waiting: inState('waiting'), running: limiter.running }).toEqual({ waiting: [], running: 0 });
        expect(new Set(begun).size).toBe(begun.length);
        expect(inState('gone').filter(({ id }) => begun.includes(id))).toEqual([]);
      }),
    );
  });

  it('lets those with the same keys begin in the order in which they came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(keysOfTask, { maxLength: 30 }), fc.integer({ min: 1, max: 4 }), async (all, places) => {
        const { begun, come, inState } = tasksOf(places, 2);
        const tasks = all.map((keys) => come(keys));
        await nextTurn();
        while (inState('running').length > 0) {
          inState('running')[0]?.end();
          await nextTurn();
        }
        for (const { keys } of tasks) {
          const own = begun.filter((id) => JSON.stringify(tasks[id]?.keys) === JSON.stringify(keys));
          expect(own).toEqual(own.toSorted((one, other) => one - other));
        }
      }),
    );
  });

  it('gives those who wait their turns key by key, however many of one came first', async () => {
    const { begun, come, inState } = tasksOf(1, 1);
    const first = come(['a']);
    const many = Array.from({ length: 20 }, () => come(['a']));
    const late = [come(['b']), come(['c'])];
    await nextTurn();
    for (const task of [first, many[0]!, late[0]!]) {
      expect(inState('running')).toEqual([task]);
      task.end();
      await nextTurn();
    }
    expect(begun.at(-1)).toBe(late[1]!.id);
  });

  it('leaves a place for others at once, whoever holds a whole share and never ends', async () => {
    const { come, inState } = tasksOf(4, 1);
    come(['a']);
    come(['a']);
    const other = come(['b']);
    await nextTurn();
    expect(inState('running')).toContain(other);
    expect(inState('waiting')).toHaveLength(1);
  });

  it('lets nobody in whose signal was aborted before', async () => {
    const limiter = createFairLimiter({ places: 1, share: 1 });
    const gone = AbortSignal.abort(new Error('too late'));
    await expect(limiter.run(['a'], async () => 'begun', gone)).rejects.toThrow('too late');
    expect(limiter.running).toBe(0);
  });
});
