import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createIdleWatch } from './idle-watch.ts';

const TIMEOUT_MS = 60_000;
const LOOK_EVERY_MS = 15_000;
/** Number of looks before the first one at which the idle time can be over. */
const EARLY_LOOKS = TIMEOUT_MS / LOOK_EVERY_MS - 1;
/** Processor time well above that of an idle engine. */
const BUSY_TICKS = 1_000;

/** Events of the interval before a look. */
interface Interval {
  isBusy?: boolean;
  wasUsed?: boolean;
  wasProbed?: boolean;
}

/** Number of looks until the service is found idle; undefined if it never is. */
function looksUntilIdle(intervals: readonly Interval[]): number | undefined {
  const isIdle = createIdleWatch(TIMEOUT_MS, { nowMs: 0, ticks: 0 });
  let [ticks, lastUsedAt] = [0, 0];
  for (const [index, { isBusy = false, wasUsed = false, wasProbed = false }] of intervals.entries()) {
    const nowMs = (index + 1) * LOOK_EVERY_MS;
    if (isBusy || wasProbed) ticks += BUSY_TICKS;
    if (wasUsed) lastUsedAt = nowMs - 1;
    const probe = wasProbed ? { fromMs: nowMs - 2_000, untilMs: nowMs - 1_000 } : null;
    if (isIdle({ nowMs, ticks, resource: { lastUsedAt, probe } })) return index + 1;
  }
  return undefined;
}

const quiet = (count: number): Interval[] => Array.from({ length: count }, () => ({}));

describe('a service', () => {
  it('is idle once nobody has used it for its idle time', () => {
    expect(looksUntilIdle(quiet(10))).toBe(4);
    expect(looksUntilIdle([{}, { wasUsed: true }, ...quiet(10)])).toBe(6);
  });

  it('is in use while it works on a long answer', () => {
    expect(looksUntilIdle([...Array<Interval>(8).fill({ isBusy: true }), ...quiet(10)])).toBe(12);
  });

  it('is not in use because it was probed', () => {
    expect(looksUntilIdle([{}, {}, { wasProbed: true }, ...quiet(10)])).toBe(4);
  });

  it('is not found idle at a look after a probe, but at the next one if nobody has used it', () => {
    expect(looksUntilIdle([{}, {}, {}, { wasProbed: true }, ...quiet(10)])).toBe(5);
  });

  it('is not found idle during a long answer because it was probed meanwhile', () => {
    const answering = Array<Interval>(8).fill({ isBusy: true });
    expect(looksUntilIdle([...answering, { isBusy: true, wasProbed: true }, ...answering])).toBeUndefined();
  });

  it('is kept while nobody knows whether it was used', () => {
    const isIdle = createIdleWatch(TIMEOUT_MS, { nowMs: 0, ticks: 0 });
    expect(isIdle({ nowMs: 2 * TIMEOUT_MS, ticks: 0, resource: undefined })).toBe(false);
  });

  it('is found idle at the first look without a probe after its idle time, however often it was probed', () => {
    const probed = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(probed, (probes) => {
        const intervals: Interval[] = [...probes.map((wasProbed) => ({ wasProbed })), ...quiet(5)];
        const unprobed = intervals.findIndex(({ wasProbed }, index) => index >= EARLY_LOOKS && wasProbed !== true);
        expect(looksUntilIdle(intervals)).toBe(unprobed + 1);
      }),
    );
  });
});
