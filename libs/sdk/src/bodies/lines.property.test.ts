import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { gathered } from '../test-support/stub-api.ts';
import { eventsOf, jsonLinesOf, linesOf } from './lines.ts';

/** Stream of a text whose bytes come in pieces of some sizes. */
function streamed(text: string, sizes: readonly number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = sizes[turn % sizes.length] ?? 1;
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
      turn += 1;
    },
  });
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
const value = fc.jsonValue({ maxDepth: 2 });

describe('the lines of a stream', () => {
  it('are those of the text, wherever it is cut into pieces', async () => {
    const line = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replace(/[\r\n]/g, ''));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.constantFrom('\n', '\r\n'), sizes, async (lines, end, pieces) => {
        const text = lines.map((each) => `${each}${end}`).join('');
        expect(await gathered(linesOf(streamed(text, pieces)))).toEqual(lines.map((each) => each.toWellFormed()));
      }),
    );
  });

  it('hold the things that were sent as lines of JSON, also without a last line end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value), sizes, async (values, pieces) => {
        const text = values.map((each) => JSON.stringify(each)).join('\n');
        const read = await gathered(jsonLinesOf(streamed(text, pieces)));
        expect(JSON.stringify(read)).toBe(JSON.stringify(values));
      }),
    );
  });

  it('hold the data of server-sent events, between comments and other fields, up to [DONE]', async () => {
    const noise = fc.constantFrom('', ': still there\n\n', 'event: activity\n', 'id: 1\nretry: 5\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(noise, value)), sizes, async (events, pieces) => {
        const text = events.map(([before, each]) => `${before}data: ${JSON.stringify(each)}\n\n`).join('');
        const read = await gathered(eventsOf(streamed(`${text}data: [DONE]\n\ndata: {"late":true}\n\n`, pieces)));
        expect(JSON.stringify(read)).toBe(JSON.stringify(events.map(([, each]) => each)));
      }),
    );
  });

  it('are closed when the reader stops early', async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('line\n')),
      cancel: () => void (isCancelled = true),
    });
    for await (const line of linesOf(endless)) if (line === 'line') break;
    expect(isCancelled).toBe(true);
  });
});
