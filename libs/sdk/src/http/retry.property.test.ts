import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apiError, ClewError, ConnectionError, TimeoutError } from '../errors.ts';
import { delayMs, LONGEST_RETRY_AFTER_MS, mayRepeat } from './retry.ts';

const failure = fc.oneof(
  fc.constant(new ConnectionError('cut')),
  fc.constant(new TimeoutError('late')),
  fc
    .record({
      status: fc.constantFrom(400, 401, 403, 404, 408, 409, 412, 413, 429, 500, 502, 503, 504),
      code: fc.constant('X'),
    })
    .map((fields) => apiError('no', fields)),
);
const repetition = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
  isKeyed: fc.boolean(),
  isConditional: fc.boolean(),
  isRepeatable: fc.boolean(),
});

describe('a repetition', () => {
  it('is never made of a body that is gone, nor after an answer that will stay the same', () => {
    fc.assert(
      fc.property(failure, repetition, (error, request) => {
        if (!mayRepeat(error, request)) return true;
        const status = 'status' in error ? (error.status as number) : 0;
        return request.isRepeatable && [0, 408, 429, 502, 503, 504].includes(status);
      }),
    );
  });

  it('is only made of a request that may have taken effect where a second time changes nothing more', () => {
    fc.assert(
      fc.property(failure, repetition, (error, request) => {
        const isRefused = 'status' in error && error.status === 429;
        if (isRefused || !mayRepeat(error, request)) return true;
        const isSafe = request.method === 'GET';
        return isSafe || (!request.isConditional && (request.isKeyed || request.method !== 'POST'));
      }),
    );
  });

  it('waits for an earlier attempt of the same call', () => {
    const inFlight = apiError('no', { status: 409, code: 'IDEMPOTENCY_KEY_IN_FLIGHT' });
    const request = { method: 'POST', isConditional: false, isRepeatable: true };
    expect(mayRepeat(inFlight, { ...request, isKeyed: true })).toBe(true);
    expect(mayRepeat(inFlight, { ...request, isKeyed: false })).toBe(false);
  });

  it('comes not before the time that the server asks for, and never where that is too long', () => {
    fc.assert(
      fc.property(
        fc.nat(10),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.nat(200_000),
        (attempt, random, asked) => {
          const error = apiError('no', { status: 429, code: 'X', retryAfterMs: asked });
          const wait = delayMs(error, attempt, () => random);
          return asked > LONGEST_RETRY_AFTER_MS ? wait === undefined : wait !== undefined && wait >= asked;
        },
      ),
    );
  });

  it('comes after a random part of a time that doubles up to eight seconds', () => {
    const longest = [0, 1, 2, 3, 4, 5, 6].map((attempt) => delayMs(new ClewError('no'), attempt, () => 1));
    expect(longest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
    expect(delayMs(new ClewError('no'), 3, () => 0)).toBe(0);
  });
});
