import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { packed, unpackedParts } from '../packing/index.ts';
import { messagesInText } from './messages-in-text.ts';
import { snapshotText, type SnapshotContent } from './snapshot-content.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'ä', '\u{1F600}', '"', '\\', '{', '}', '[', ']', ',', '\n') });
const message = fc.record({ index: fc.nat(), content: text, toolCalls: fc.array(fc.jsonValue(), { maxLength: 2 }) });
const content = fc
  .record({ messages: fc.array(message, { maxLength: 8 }), tools: fc.array(message, { maxLength: 2 }) })
  .map((made) => JSON.parse(JSON.stringify({ ...made, scores: [] })) as SnapshotContent);

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

describe('messages in the text of a snapshot', () => {
  it('are those of the window, however the text is cut into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.integer({ min: 1, max: 40 }),
        fc.record({ from: fc.nat({ max: 9 }), limit: fc.integer({ min: 1, max: 9 }) }),
        async (snapshot, size, window) => {
          const bytes = Buffer.from(snapshotText(snapshot));
          const expected = snapshot.messages.slice(window.from, window.from + window.limit);
          expect(await messagesInText(inPieces(bytes, size), window)).toEqual(expected);
          const stored = inPieces(await packed(bytes.toString()), size);
          expect(await messagesInText(unpackedParts(stored), window)).toEqual(expected);
        },
      ),
    );
  });

  it('are read without what comes after them', async () => {
    const messages = Array.from({ length: 1_000 }, (_, index) => ({ index, content: 'x'.repeat(1_000) }));
    const bytes = Buffer.from(snapshotText({ messages, tools: [], scores: [] } as never));
    let read = 0;
    async function* counted() {
      for await (const piece of inPieces(bytes, 1_000)) {
        read += piece.length;
        yield piece;
      }
    }
    expect(await messagesInText(counted(), { from: 10, limit: 5 })).toMatchObject([
      { index: 10 },
      {},
      {},
      {},
      { index: 14 },
    ]);
    expect(read).toBeLessThan(20_000);
  });
});
