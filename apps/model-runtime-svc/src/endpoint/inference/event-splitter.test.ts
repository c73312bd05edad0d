import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dataOf, EventSplitter } from './event-splitter.ts';

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const word = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.replace(/[\r\n]/g, ' '));

describe('a stream of events', () => {
  it('is cut into its events, wherever the network cut it, and nothing is lost', () => {
    const cuts = fc.array(fc.nat(), { maxLength: 20 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 10 }), lineEnd, cuts, fc.boolean(), (words, end, positions, hasRest) => {
        const events = words.map((data) => `data: ${data}${end}${end}`);
        const rest = hasRest ? 'data: unfinished' : '';
        const bytes = Buffer.from(events.join('') + rest);
        const splitter = new EventSplitter();
        const found: string[] = [];
        const places = [0, ...positions.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        for (const [index, place] of places.entries()) {
          if (index > 0) found.push(...splitter.push(bytes.subarray(places[index - 1], place)));
        }
        expect(found.join('') + splitter.end()).toBe(bytes.toString());
        expect(found.map(dataOf).filter((data) => data !== '')).toEqual(words);
      }),
    );
  });

  it('with an event that never ends is given up', () => {
    const splitter = new EventSplitter();
    const push = () => {
      for (let megabyte = 0; megabyte < 10; megabyte += 1) splitter.push(Buffer.alloc(1024 * 1024, 'x'));
    };
    expect(push).toThrow('too large an event');
  });

  it.each([
    ['data: a\n\n', 'a'],
    ['data:a\n\n', 'a'],
    ['data: a\u2028b\u2029c\n\n', 'a\u2028b\u2029c'],
    ['event: x\r\ndata: a\r\ndata: b\r\n\r\n', 'a\nb'],
    [': a comment\n\n', ''],
  ])('%j has the data %j', (event, data) => {
    expect(dataOf(event)).toBe(data);
  });
});
