import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLimiter } from './limiter.ts';

describe('a limiter', () => {
  it('never runs more at a time for one key than allowed, and runs all', async () => {
    const tasks = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b'), comesAfter: fc.nat(8), turns: fc.nat(5), fails: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), tasks, async (max, planned) => {
        const limiter = createLimiter(max);
        const running = new Map<string, number>();
        const work = planned.map(async ({ key, comesAfter, turns, fails }, index) => {
          for (let turn = 0; turn < comesAfter; turn += 1) await Promise.resolve();
          return await limiter.run(key, async () => {
            running.set(key, (running.get(key) ?? 0) + 1);
            expect(running.get(key)).toBeLessThanOrEqual(max);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            running.set(key, (running.get(key) ?? 0) - 1);
            if (fails) throw new Error('failed');
            return index;
          });
        });
        const outcomes = await Promise.allSettled(work);
        expect(outcomes.map(({ status }) => status)).toEqual(
          planned.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
        );
      }),
    );
  });

  it('lets those who wait begin in the order in which they came', async () => {
    const limiter = createLimiter(2);
    const begun: number[] = [];
    const work = Array.from({ length: 20 }, (_, index) =>
      limiter.run('a', async () => {
        begun.push(index);
        for (let turn = 0; turn < index % 3; turn += 1) await Promise.resolve();
      }),
    );
    await Promise.all(work);
    expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  });

  it('lets who gives up waiting go, and the others keep their turns', async () => {
    const limiter = createLimiter(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = limiter.run('a', () => promise);
    const leaving = new AbortController();
    const second = limiter.run('a', async () => 'second', leaving.signal);
    const third = limiter.run('a', async () => 'third');
    leaving.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    resolve();
    await first;
    expect(await third).toBe('third');
  });
});
