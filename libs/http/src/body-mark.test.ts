import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AppError, createFingerprint } from '@clew/kernel';
import { BodyMark } from './body-mark.ts';

const fingerprintOf = createFingerprint('a secret of tests, of 32 bytes or more');
const chunks = fc.array(
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
  { maxLength: 8 },
);

function markOf(body: readonly Buffer[], expected?: string): BodyMark {
  const mark = new BodyMark(fingerprintOf, expected);
  body.forEach((chunk) => mark.update(chunk));
  return mark;
}

function codeOf(work: () => void): string {
  try {
    work();
    return 'none';
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

/** Cuts the same bytes into pieces of another size. */
function cutAnew(body: readonly Buffer[], size: number): Buffer[] {
  const bytes = Buffer.concat(body);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

describe('the mark of a body', () => {
  it('is the same for the same bytes, in whatever pieces they come, and for no others', () => {
    fc.assert(
      fc.property(chunks, chunks, fc.integer({ min: 1, max: 9 }), (body, other, size) => {
        const mark = markOf(body).text;
        expect(markOf(cutAnew(body, size)).text).toBe(mark);
        expect(markOf(other).text === mark).toBe(Buffer.concat(other).equals(Buffer.concat(body)));
      }),
    );
  });

  it('lets a body go on from what came before, and refuses every other as soon as it has come so far', () => {
    fc.assert(
      fc.property(chunks, chunks, fc.integer({ min: 1, max: 9 }), (before, rest, size) => {
        const mark = markOf(before).text;
        const again = markOf(cutAnew([...before, ...rest], size), mark);
        expect(again.isKnown).toBe(true);
        expect(codeOf(() => again.end())).toBe('none');
        expect(again.text).toBe(markOf([...before, ...rest]).text);
        const [first = Buffer.alloc(0)] = cutAnew(before, 1);
        if (first.length === 0) return;
        const wrong = Buffer.concat([Buffer.from([(first[0] ?? 0) ^ 1]), Buffer.concat(before).subarray(1)]);
        expect(codeOf(() => markOf(cutAnew([wrong], size), mark))).toBe('IDEMPOTENCY_KEY_REUSED');
        const short = Buffer.concat(before).subarray(1);
        expect(codeOf(() => markOf([short], mark).end())).toBe('IDEMPOTENCY_KEY_REUSED');
      }),
    );
  });
});
