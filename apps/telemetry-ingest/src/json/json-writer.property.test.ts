import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonLimitReached, JsonWriter, token } from './json-writer.ts';

function written(write: (out: JsonWriter) => void, capacity = 1): string {
  const out = new JsonWriter(capacity);
  write(out);
  return out.finish().toString();
}

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', 'a', 'é', '😀'), maxLength: 200 }),
);

describe('what is written is the JSON of what was given', () => {
  it('a text from its bytes', () => {
    fc.assert(
      fc.property(texts, fc.nat(64), (text, capacity) => {
        const bytes = Buffer.from(`before${text}after`);
        const range = { start: 6, end: bytes.length - 5 };
        expect(JSON.parse(written((out) => out.string(bytes, range), capacity))).toBe(
          bytes.subarray(range.start, range.end).toString(),
        );
      }),
    );
  });

  it('bytes that are no text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const source = Buffer.from(bytes);
        const json = written((out) => out.string(source, { start: 0, end: source.length }));
        expect(JSON.parse(json)).toBe(source.toString());
      }),
    );
  });

  it('an unsigned integer of 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const halves = [Number(value >> 32n), Number(value & 0xffff_ffffn)] as const;
        expect(written((out) => out.quotedUint64(...halves))).toBe(`"${value}"`);
      }),
    );
  });

  it('an integer, and bytes as hex', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.uint8Array(), (value, bytes) => {
        expect(written((out) => out.integer(value))).toBe(String(value));
        const source = Buffer.from(bytes);
        const json = written((out) => out.hex(source, { start: 0, end: source.length }));
        expect(json).toBe(`"${source.toString('hex')}"`);
      }),
    );
  });
});

it('beyond its limit nothing is written, and what was before can be kept', () => {
  fc.assert(
    fc.property(fc.array(texts), fc.nat(200), (pieces, limit) => {
      const out = new JsonWriter(8);
      out.limit = limit;
      let mark = 0;
      try {
        for (const piece of pieces) {
          mark = out.length;
          out.json(JSON.stringify(piece));
          out.raw(token(','));
        }
      } catch (error) {
        expect(error).toBeInstanceOf(JsonLimitReached);
        out.rewind(mark);
      }
      expect(out.length).toBeLessThanOrEqual(limit);
      const whole = pieces.map((piece) => `${JSON.stringify(piece)},`).join('');
      expect(whole.startsWith(out.finish().toString())).toBe(true);
    }),
  );
});
