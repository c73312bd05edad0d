import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEVICE_MS, USER_CODE_LETTERS, UserCode } from '@clew/contracts';
import { asked, decided, newDevice, type StoredDevice } from './device.ts';
import { newUserCode, shownUserCode } from './user-code.ts';

const NEW = { hash: 'h', userCodeHash: 'u', name: 'laptop', address: null, blockHash: 'b' };

type Step = { waitMs: number } & ({ deed: 'ask' } | { deed: 'decide'; isApproved: boolean; userId: string });

const waitMs = fc.oneof(fc.integer({ min: 0, max: 12_000 }), fc.constant(5_000), fc.constant(DEVICE_MS));
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ waitMs, deed: fc.constant('ask' as const) }),
  fc.record({
    ...{ waitMs, deed: fc.constant('decide' as const) },
    ...{ isApproved: fc.boolean(), userId: fc.constantFrom('usr_1', 'usr_2') },
  }),
);

describe('a device', () => {
  it('is decided on once, in time, and delivers at most one key, to whom it was approved by', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let device: StoredDevice = newDevice(NEW, 0);
        let nowMs = 0;
        let delivered = 0;
        let decision: { isApproved: boolean; userId: string } | undefined;
        for (const each of steps) {
          nowMs += each.waitMs;
          if (each.deed === 'decide') {
            const after = decided(device, { ...each, projectId: null }, nowMs);
            const isFirst = decision === undefined && nowMs < DEVICE_MS;
            expect(after !== device).toBe(isFirst);
            if (isFirst) decision = each;
            device = after;
            continue;
          }
          const before = device;
          const taken = asked(device, nowMs);
          ({ device } = taken);
          const isTooEarly = before.lastAskedAt !== null && nowMs - before.lastAskedAt < before.intervalMs;
          if (taken.answer === 'deliver') {
            delivered += 1;
            expect([decision?.isApproved, isTooEarly, nowMs < DEVICE_MS]).toEqual([true, false, true]);
            expect(device.userId).toBe(decision?.userId);
          }
          if (taken.answer === 'SLOW_DOWN') expect(device.intervalMs).toBeGreaterThanOrEqual(before.intervalMs);
          if (nowMs >= DEVICE_MS) expect(['EXPIRED_TOKEN', 'INVALID_GRANT']).toContain(taken.answer);
          if (taken.answer === 'AUTHORIZATION_PENDING') expect(decision).toBeUndefined();
          if (taken.answer === 'ACCESS_DENIED') expect(decision?.isApproved).toBe(false);
        }
        expect(delivered).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('that keeps to its interval is never told to slow down, and hears of each decision at its next question', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.boolean(), (questions, isApproved) => {
        let device = newDevice(NEW, 0);
        for (let question = 1; question <= questions; question += 1) {
          const taken = asked(device, question * 5_000);
          expect(taken.answer).toBe('AUTHORIZATION_PENDING');
          ({ device } = taken);
        }
        const nowMs = (questions + 1) * 5_000;
        const after = decided(device, { userId: 'usr_1', isApproved, projectId: null }, nowMs);
        expect(asked(after, nowMs).answer).toBe(isApproved ? 'deliver' : 'ACCESS_DENIED');
      }),
    );
  });
});

it('a user code has eight letters without vowels, and is understood however it is typed', () => {
  for (let count = 0; count < 200; count += 1) {
    const code = newUserCode();
    expect(code).toMatch(new RegExp(`^[${USER_CODE_LETTERS}]{8}$`));
    const shown = shownUserCode(code);
    expect(shown).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    for (const typed of [code, shown, shown.toLowerCase(), ` ${shown.replace('-', ' ')} `]) {
      expect(UserCode.parse(typed)).toBe(code);
    }
  }
});
