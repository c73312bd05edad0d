import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLimiter } from './limiter.ts';

describe('a limiter', () => {
  it('never runs more at a time for one key than allowed, runs all, and in their order', async () => {
    const tasks = fc.array(fc.record({ key: fc.constantFrom('a', 'b'), turns: fc.nat(5), fails: fc.boolean() }));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), tasks, async (max, planned) => {
        const limiter = createLimiter(max);
        const running = new Map<string, number>();
        const begun = new Map<string, number[]>();
        const work = planned.map(({ key, turns, fails }, index) =>
          limiter.run(key, async () => {
            begun.set(key, [...(begun.get(key) ?? []), index]);
            running.set(key, (running.get(key) ?? 0) + 1);
            expect(running.get(key)).toBeLessThanOrEqual(max);
            for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
            running.set(key, (running.get(key) ?? 0) - 1);
            if (fails) throw new Error('failed');
            return index;
          }),
        );
        const outcomes = await Promise.allSettled(work);
        expect(outcomes.map(({ status }) => status)).toEqual(
          planned.map(({ fails }) => (fails ? 'rejected' : 'fulfilled')),
        );
        for (const order of begun.values()) expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
    );
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
