import { describe, expect, it } from '@jest/globals';
import { createGate } from './gate.ts';

function heldWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = false;
  return {
    isBegun: () => begun,
    end: resolve,
    work: async () => {
      begun = true;
      await promise;
    },
  };
}

describe('a gate', () => {
  it('holds back what would weigh too much together, and lets it through when there is room', async () => {
    const pass = createGate(10);
    const [first, second] = [heldWork(), heldWork()];
    const firstDone = pass(6, first.work);
    const secondDone = pass(6, second.work);
    await Promise.resolve();
    expect([first.isBegun(), second.isBegun()]).toEqual([true, false]);
    first.end();
    await firstDone;
    second.end();
    await secondDone;
    expect(second.isBegun()).toBe(true);
  });

  it('lets nothing overtake, so that heavy work is not put off for ever', async () => {
    const pass = createGate(10);
    const [running, heavy, light] = [heldWork(), heldWork(), heldWork()];
    const done = [pass(5, running.work), pass(10, heavy.work), pass(1, light.work)];
    await Promise.resolve();
    expect([heavy.isBegun(), light.isBegun()]).toEqual([false, false]);
    running.end();
    heavy.end();
    light.end();
    await Promise.all(done);
  });

  it('lets work alone through that weighs more than all it may hold', async () => {
    const pass = createGate(10);
    await expect(pass(1_000, () => Promise.resolve('done'))).resolves.toBe('done');
  });

  it('gives the room of failed work back', async () => {
    const pass = createGate(1);
    await expect(pass(1, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    await expect(pass(1, () => Promise.resolve('done'))).resolves.toBe('done');
  });
});
