import { describe, expect, it } from '@jest/globals';
import { fixedClock } from './clock.ts';
import { eventually } from './eventually.ts';

describe('eventually', () => {
  it('repeats a probe until it holds, and returns what it returned', async () => {
    let calls = 0;
    const result = await eventually(
      () => {
        calls += 1;
        if (calls < 3) throw new Error('not yet');
        return 'done';
      },
      { intervalMs: 1 },
    );
    expect({ result, calls }).toEqual({ result: 'done', calls: 3 });
  });

  it('rejects with the last error when the time is over', async () => {
    const clock = fixedClock(1_000);
    const probe = () => {
      clock.advance(10);
      return Promise.reject(new Error(`failure at ${clock.now()}`));
    };
    await expect(eventually(probe, { timeoutMs: 25, intervalMs: 0, clock })).rejects.toThrow('failure at 1030');
  });
});

describe('fixedClock', () => {
  it('stands still until it is told to go on', () => {
    const clock = fixedClock(1_000);
    expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
    clock.advance(5);
    expect(clock.now()).toBe(1_005);
  });
});
