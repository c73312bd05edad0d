import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isUtf16, LineCutter, type Line } from './lines.ts';

const MAX_LINE_BYTES = 8;

function cutInPieces(file: Buffer, sizes: readonly number[]): { lines: Line[]; mostHeld: number } {
  const cutter = new LineCutter(MAX_LINE_BYTES);
  const lines: Line[] = [];
  let mostHeld = 0;
  for (let start = 0, piece = 0; start < file.length; piece += 1) {
    const size = sizes[piece % sizes.length] ?? 1;
    lines.push(...cutter.cut(file.subarray(start, start + size)));
    mostHeld = Math.max(mostHeld, cutter.heldBytes);
    start += size;
  }
  lines.push(...cutter.end());
  expect(cutter.lineCount).toBe(lines.length);
  return { lines, mostHeld };
}

it('lines are the same whatever the pieces are, and no more than one is held', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\r', ' '), maxLength: 6 }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(texts, fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }), (wanted, sizes) => {
      const { lines, mostHeld } = cutInPieces(Buffer.from(wanted.join('\n')), sizes);
      // The last line has no newline: it is none where it is empty.
      const expected = wanted.at(-1) === '' ? wanted.slice(0, -1) : wanted;
      expect(lines).toEqual(
        expected.map((text, index) => ({
          number: index + 1,
          ...(Buffer.byteLength(text) > MAX_LINE_BYTES
            ? { refusal: `is longer than ${MAX_LINE_BYTES} bytes` }
            : { text }),
        })),
      );
      expect(mostHeld).toBeLessThanOrEqual(MAX_LINE_BYTES);
    }),
  );
});

it('any bytes are lines of text or refused, each with its number', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), fc.integer({ min: 1, max: 50 }), (bytes, size) => {
      const { lines } = cutInPieces(Buffer.from(bytes), [size]);
      expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
    }),
  );
});

it.each<[number[], boolean]>([
  [[0xff, 0xfe, 0x7b], true],
  [[0xfe, 0xff], true],
  [[0xef, 0xbb, 0xbf], false],
  [[0xff], false],
  [[], false],
])('the beginning %j is UTF-16: %s', (bytes, expected) => {
  expect(isUtf16(Buffer.from(bytes))).toBe(expected);
});
