import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HEALTHY } from '../registry/webhook.ts';
import { afterTries, afterTry, MAX_RETRY_AFTER_MS, reasonToDisable, type AfterTry } from './delivery.ts';

const PACE = { pausesMs: [5_000, 60_000, 300_000], disableAfterMs: 1_000_000 };
const FAILED = { ok: false, retryAfterMs: undefined, isGone: false };
const DONE = { ok: true, retryAfterMs: undefined, isGone: false };
const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('the schedule of tries', () => {
  it('is that of the pauses, each by a fifth longer or shorter, and then it is given up', () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 3, maxLength: 3 }), (shares) => {
        let nowMs = 1_000_000;
        let state: AfterTry = { status: 'pending', failureReason: null, nextTryAt: nowMs, tried: 0 };
        for (const [index, pauseMs] of PACE.pausesMs.entries()) {
          state = afterTry(state, FAILED, PACE, nowMs, () => shares[index] ?? 0);
          expect(state).toMatchObject({ status: 'pending', tried: index + 1 });
          const waitMs = (state.nextTryAt ?? 0) - nowMs;
          expect(waitMs).toBeGreaterThanOrEqual(0.8 * pauseMs - 1);
          expect(waitMs).toBeLessThanOrEqual(1.2 * pauseMs + 1);
          nowMs = state.nextTryAt ?? 0;
        }
        expect(afterTry(state, FAILED, PACE, nowMs)).toMatchObject({ status: 'failed', nextTryAt: null, tried: 4 });
      }),
    );
  });

  it('ends with a success, whatever failed before', () => {
    fc.assert(
      fc.property(fc.nat(20), (tried) => {
        expect(afterTry({ tried }, DONE, PACE, 1)).toEqual({
          ...{ status: 'delivered', failureReason: null, nextTryAt: null, tried: tried + 1 },
        });
      }),
    );
  });

  it('waits as long as the receiver asks for, up to an hour', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), share, (retryAfterMs, random) => {
        const asked = { ok: false, retryAfterMs };
        const { nextTryAt } = afterTry({ tried: 0 }, asked, PACE, 0, () => random);
        expect(nextTryAt).toBeGreaterThanOrEqual(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
        expect(nextTryAt).toBeLessThanOrEqual(Math.max(6_000, MAX_RETRY_AFTER_MS));
      }),
    );
  });
});

describe('a receiver', () => {
  it('that fails has pauses that double from a second up to five minutes, and none after a success', () => {
    let health = HEALTHY;
    const waits: number[] = [];
    for (let failures = 1; failures <= 12; failures += 1) {
      health = afterTries(health, [FAILED, FAILED], PACE, 1_000);
      expect(health).toMatchObject({ failures, failingSince: 1_000 });
      waits.push(health.pausedUntil - 1_000);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map((seconds) => seconds * 1_000));
    expect(afterTries(health, [FAILED, DONE], PACE, 2_000)).toEqual(HEALTHY);
  });

  it('is given up at once where it is gone, and after long failure', () => {
    expect(reasonToDisable(HEALTHY, [{ isGone: true }], PACE, 0)).toContain('410');
    expect(reasonToDisable({ failingSince: 0 }, [FAILED], PACE, 999_999)).toBeUndefined();
    expect(reasonToDisable({ failingSince: 0 }, [FAILED], PACE, 1_000_000)).toBe(
      'No delivery has succeeded since 1970-01-01T00:00:00.000Z',
    );
  });
});
