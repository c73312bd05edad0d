import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createKeyedLimiter, createLimiter, type Limiter } from './limiter.ts';

/** Task of a key, which runs to its end or is given up before it begins. */
const task = fc.record({
  key: fc.constantFrom('a', 'b'),
  comesAfter: fc.nat(8),
  turns: fc.nat(5),
  fails: fc.boolean(),
  givesUpAfter: fc.option(fc.nat(12), { nil: undefined }),
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
}

describe('a keyed limiter', () => {
  it('never runs more at a time for one key than allowed, runs all that did not give up, and is idle in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(task), async (max, planned) => {
        const limiter = createKeyedLimiter(max);
        const running = new Map<string, number>();
        const count = (key: string, by: number) => {
          running.set(key, (running.get(key) ?? 0) + by);
          expect(running.get(key)).toBeLessThanOrEqual(max);
        };
        const work = planned.map(async ({ key, comesAfter, turns: taken, fails, givesUpAfter }) => {
          const leaving = new AbortController();
          if (givesUpAfter !== undefined) void turns(givesUpAfter).then(() => leaving.abort(new Error('gave up')));
          await turns(comesAfter);
          const run = async () => {
            count(key, 1);
            await turns(taken);
            count(key, -1);
            if (fails) throw new Error('failed');
          };
          return await limiter.run(key, run, leaving.signal);
        });
        const outcomes = await Promise.allSettled(work);
        for (const [index, outcome] of outcomes.entries()) {
          const { fails, givesUpAfter } = planned[index] as (typeof planned)[number];
          const reason = outcome.status === 'rejected' ? (outcome.reason as Error).message : 'none';
          const possible = [fails ? 'failed' : 'none', ...(givesUpAfter === undefined ? [] : ['gave up'])];
          expect(possible).toContain(reason);
        }
        expect(limiter.isBusy()).toBe(false);
      }),
    );
  });

  it('keeps no key waiting for another, and is busy as long as anybody is there', async () => {
    const limiter = createKeyedLimiter(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = limiter.run('a', () => promise);
    expect(await limiter.run('b', async () => 'other')).toBe('other');
    expect(limiter.isBusy()).toBe(true);
    resolve();
    await first;
    expect(limiter.isBusy()).toBe(false);
  });
});

/** Creates a limiter whose only place is taken until it is left. */
async function taken(): Promise<{ limiter: Limiter; leave: () => void }> {
  const limiter = createLimiter(1);
  return { limiter, leave: await limiter.enter() };
}

describe('a limiter', () => {
  it('lets those who wait begin in the order in which they came', async () => {
    const limiter = createLimiter(2);
    const begun: number[] = [];
    const work = Array.from({ length: 20 }, (_, index) =>
      limiter.run(async () => {
        begun.push(index);
        await turns(index % 3);
      }),
    );
    await Promise.all(work);
    expect(begun).toEqual(begun.toSorted((a, b) => a - b));
    expect(limiter.running).toBe(0);
  });

  it('lets who gives up waiting go, and the others keep their turns', async () => {
    const { limiter, leave } = await taken();
    const leaving = new AbortController();
    const second = limiter.run(async () => 'second', leaving.signal);
    const third = limiter.run(async () => 'third');
    leaving.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    leave();
    expect(await third).toBe('third');
  });

  it('lets nobody in early where a task that has begun is given up', async () => {
    const limiter = createLimiter(1);
    const leaving = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = limiter.run(() => promise, leaving.signal);
    let hasBegun = false;
    const second = limiter.run(async () => {
      hasBegun = true;
    });
    leaving.abort(new Error('gone'));
    await turns(20);
    expect(hasBegun).toBe(false);
    resolve();
    await Promise.all([first, second]);
    expect(hasBegun).toBe(true);
  });

  it('lets nobody in whose signal was aborted before', async () => {
    const limiter = createLimiter(1);
    await expect(limiter.enter(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
    expect(limiter.running).toBe(0);
  });

  it('gives a place back once, however often it is left', async () => {
    const { limiter, leave } = await taken();
    leave();
    leave();
    const again = limiter.tryEnter();
    expect(again).toBeDefined();
    leave();
    expect(limiter.running).toBe(1);
  });

  it('has a place at once for nobody while all are taken, and for nobody before who waits', async () => {
    const { limiter, leave } = await taken();
    expect(limiter.tryEnter()).toBeUndefined();
    const waiting = limiter.enter();
    leave();
    expect(limiter.tryEnter()).toBeUndefined();
    (await waiting)();
    expect(limiter.tryEnter()).toBeDefined();
  });
});
