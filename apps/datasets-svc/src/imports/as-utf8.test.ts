import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { piecesOf } from '../test-support/records.ts';
import { asUtf8 } from './as-utf8.ts';

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 6 });

describe('asUtf8', () => {
  it.each(['utf8', 'utf16le', 'utf16be'] as const)(
    'gives the text of a file in %s, however it is cut',
    async (encoding) => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), sizes, async (text, pieceSizes) => {
          const bytes = await utf8Of(encoded(`\ufeff${text}`, encoding), pieceSizes);
          expect(bytes.toString()).toBe(text);
        }),
      );
    },
  );

  it('gives a file without a mark as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), sizes, async (bytes, pieceSizes) => {
        const file = Buffer.from(bytes.map((byte) => byte % 0xef));
        expect((await utf8Of(file, pieceSizes)).equals(file)).toBe(true);
      }),
    );
  });

  it('makes half a character, and half a unit at the end, bytes that are not UTF-8', async () => {
    const lone = Buffer.from([0xff, 0xfe, 0x61, 0, 0x00, 0xd8, 0x62, 0]);
    expect((await utf8Of(lone, [3])).toString('latin1')).toBe('a\xffb');
    expect((await utf8Of(Buffer.from([0xfe, 0xff, 0, 0x61, 0]), [2])).toString('latin1')).toBe('a\xff');
    expect((await utf8Of(Buffer.from([0xfe, 0xff, 0, 0x61, 0xd8, 0]), [1])).toString('latin1')).toBe('a\xff');
  });

  it('gives nothing for a file that is empty, or nothing but a mark', async () => {
    for (const file of [[], [0xff, 0xfe], [0xfe, 0xff], [0xef, 0xbb, 0xbf]]) {
      expect((await utf8Of(Buffer.from(file), [1])).length).toBe(0);
    }
  });
});

function encoded(text: string, encoding: 'utf8' | 'utf16le' | 'utf16be'): Buffer {
  if (encoding === 'utf8') return Buffer.from(text);
  const bytes = Buffer.from(text, 'utf16le');
  return encoding === 'utf16be' ? bytes.swap16() : bytes;
}

async function utf8Of(file: Buffer, pieceSizes: readonly number[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of asUtf8(piecesOf(file, pieceSizes))) chunks.push(chunk);
  return Buffer.concat(chunks);
}
