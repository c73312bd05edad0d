import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError } from './app-error.ts';
import { parseIdempotencyKey } from './idempotency.ts';

const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });

describe('parseIdempotencyKey', () => {
  it('takes a bare key and the same one quoted for one key', () => {
    fc.assert(
      fc.property(visible, (key) => {
        fc.pre(key.length > 0 && key.length <= 255 && !key.startsWith('"'));
        const quoted = `"${key.replace(/["\\]/g, '\\$&')}"`;
        expect(parseIdempotencyKey([key])).toBe(key);
        expect(parseIdempotencyKey([quoted])).toBe(key);
      }),
    );
  });

  it.each([
    ['nothing', ['']],
    ['an empty quoted string', ['""']],
    ['256 characters', ['k'.repeat(256)]],
    ['an unfinished quoted string', ['"key']],
    ['a quote within quotes', ['"a"b"']],
    ['characters beyond ASCII', ['schlüssel']],
    ['two headers', ['a', 'b']],
  ])('refuses %s with 400', (_name, values) => {
    expect(() => parseIdempotencyKey(values)).toThrow(AppError);
    expect(() => parseIdempotencyKey(values)).toThrow('Idempotency-Key must have 1 to 255 characters');
  });

  it('takes 255 characters', () => {
    expect(parseIdempotencyKey(['k'.repeat(255)])).toHaveLength(255);
  });
});
