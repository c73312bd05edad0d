import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LineCutter, type Line } from './line-cutter.ts';

describe('LineCutter', () => {
  it('gives the same lines however the bytes are cut into chunks', () => {
    const file = fc.stringMatching(/^[a-z\n\ré€😀]{0,60}$/u);
    fc.assert(
      fc.property(file, fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 80 }), (text, sizes) => {
        const expected = text.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(linesOf(Buffer.from(text), sizes)).toEqual(
          expected.map((line, index) => ({ number: index + 1, text: line })),
        );
      }),
    );
  });

  it('refuses a line over the limit, holds none of it, and goes on with the next', () => {
    const cutter = new LineCutter(10);
    const first = [...cutter.cut(Buffer.from('short\n' + 'x'.repeat(11)))];
    expect(cutter.heldBytes).toBe(10);
    const rest = [...cutter.cut(Buffer.from('yyy\nexactly 10\nlast')), ...cutter.end()];
    expect([...first, ...rest]).toEqual([
      { number: 1, text: 'short' },
      { number: 2, refusal: 'is longer than 10 bytes' },
      { number: 3, text: 'exactly 10' },
      { number: 4, text: 'last' },
    ]);
  });

  it('refuses bytes that are not UTF-8, and NUL bytes, line by line', () => {
    const bytes = Buffer.concat([Buffer.from('good\n'), Buffer.from([0xc3, 0x28, 10]), Buffer.from('a\0b\nend')]);
    expect(linesOf(bytes, [])).toEqual([
      { number: 1, text: 'good' },
      { number: 2, refusal: 'is not UTF-8 text' },
      { number: 3, refusal: 'is not UTF-8 text: it holds NUL bytes, as UTF-16 does' },
      { number: 4, text: 'end' },
    ]);
  });

  it('leaves out the byte order mark of the file, and no other', () => {
    expect(linesOf(Buffer.from('\ufeffa\n\ufeffb'), [1, 1])).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: '\ufeffb' },
    ]);
  });
});

function linesOf(bytes: Buffer, sizes: readonly number[]): Line[] {
  const cutter = new LineCutter(1_000);
  const lines: Line[] = [];
  let start = 0;
  for (const size of sizes) {
    lines.push(...cutter.cut(bytes.subarray(start, start + size)));
    start += size;
  }
  return [...lines, ...cutter.cut(bytes.subarray(start)), ...cutter.end()];
}
