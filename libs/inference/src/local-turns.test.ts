import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { eventually } from '@clew/testing';
import { withinDeadline } from './deadline.ts';
import { createLocalTurns } from './local-turns.ts';

const LIMITS = { projectId: 'prj_1', heartbeatIntervalMs: 5 };

/** Creates work that ends when the test releases it. */
function held() {
  const begun: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = (name: string) => async () => {
    begun.push(name);
    await promise;
    return name;
  };
  return { begun, work, release: resolve };
}

it('local models have so many calls under way at a time, whichever they are, and others as many as they like', async () => {
  const turns = createLocalTurns(2);
  const { begun, work, release } = held();
  const models = ['self/a', 'self/a', 'self/b', 'acme/x', 'acme/x', 'acme/x'];
  const calls = models.map((model, index) => turns.run({ ...LIMITS, model }, work(`${index}`)));
  await eventually(() => expect(begun.toSorted()).toEqual(['0', '1', '3', '4', '5']));
  release();
  expect(await Promise.all(calls)).toEqual(['0', '1', '2', '3', '4', '5']);
});

it('who waits for a turn heartbeats, and loses none of its time', async () => {
  const turns = createLocalTurns(1);
  const { work, release } = held();
  const first = turns.run({ ...LIMITS, model: 'self/a' }, work('first'));
  let heartbeats = 0;
  const limits = { ...LIMITS, heartbeat: () => (heartbeats += 1), deadlineMs: 100 };
  const second = turns.run({ ...limits, model: 'self/a' }, () =>
    withinDeadline(limits, async (signal) => {
      await sleep(1, undefined, { signal });
      return 'second';
    }),
  );
  const startedAtMs = performance.now();
  await eventually(() => {
    expect(heartbeats).toBeGreaterThan(5);
    expect(performance.now() - startedAtMs).toBeGreaterThan(limits.deadlineMs);
  });
  release();
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  const atEnd = heartbeats;
  await sleep(5 * LIMITS.heartbeatIntervalMs);
  expect(heartbeats).toBe(atEnd);
});

it('who is stopped while it waits does not call any more', async () => {
  const turns = createLocalTurns(1);
  const { begun, work, release } = held();
  const first = turns.run({ ...LIMITS, model: 'self/a' }, work('first'));
  const stop = new AbortController();
  const second = turns.run({ ...LIMITS, model: 'self/a', signal: stop.signal }, work('second'));
  stop.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  release();
  await first;
  expect(begun).toEqual(['first']);
});

it('projects have their turns one after the other, however much one has asked for before', async () => {
  const turns = createLocalTurns(1);
  const { begun, work, release } = held();
  const call = (projectId: string, name: string) => turns.run({ ...LIMITS, projectId, model: 'self/a' }, work(name));
  const calls = [...['a1', 'a2', 'a3'].map((name) => call('prj_a', name)), call('prj_b', 'b1')];
  release();
  await Promise.all(calls);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});
