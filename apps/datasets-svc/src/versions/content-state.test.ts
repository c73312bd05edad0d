import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { digestOfContent } from '../examples/index.ts';
import { addContent, contentIdOf, emptyContent, fromBytes, subtractContent, toBytes } from './content-state.ts';

const texts = fc.array(fc.string(), { maxLength: 8 });

function stateOf(contents: readonly string[]) {
  const state = emptyContent();
  for (const text of contents) addContent(state, digestOfContent(text));
  return state;
}

const idOf = (contents: readonly string[]) => contentIdOf(stateOf(contents), contents.length);

describe('the content id', () => {
  it('is the same for the same contents in any order', () => {
    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.nat()), (contents, random) => {
        const shuffled = contents
          .map((text) => ({ text, rank: random.next().value as number }))
          .toSorted((a, b) => a.rank - b.rank)
          .map(({ text }) => text);
        expect(idOf(shuffled)).toBe(idOf(contents));
      }),
    );
  });

  it('differs where any content does, also in how often it is there', () => {
    fc.assert(
      fc.property(texts, texts, (some, others) => {
        const same = JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
        expect(idOf(some) === idOf(others)).toBe(same);
      }),
    );
  });

  it('is what it was before once what was added is taken out again', () => {
    fc.assert(
      fc.property(texts, texts, (kept, passing) => {
        const state = stateOf(kept);
        for (const text of passing) addContent(state, digestOfContent(text));
        for (const text of passing.toReversed()) subtractContent(state, digestOfContent(text));
        expect(contentIdOf(state, kept.length)).toBe(idOf(kept));
      }),
    );
  });

  it('survives being stored', () => {
    fc.assert(
      fc.property(texts, (contents) => {
        const state = stateOf(contents);
        expect(fromBytes(toBytes(state))).toEqual(state);
      }),
    );
  });

  it('is today what it was before: ids that were handed out depend on it', () => {
    expect([idOf([]), idOf(['{"a":1}'])]).toEqual(['dsv_R0PM911J9K2MKE1K76G2ABNSR3', 'dsv_BS5PC34V2S6N3Q4NE2J84Y0CQH']);
  });
});
