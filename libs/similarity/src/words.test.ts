import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WordHashes } from './words.ts';

/** ASCII with many word separators, and characters next to letters in the code. */
const ascii = fc.string({ unit: fc.constantFrom(...'abYZ019 ._-@[`{/:\t'), maxLength: 40 });

function hashesOf(text: string): number[] {
  const words = new WordHashes();
  words.add(text);
  return [...words.hashes.subarray(0, words.count)];
}

describe('the words of a text', () => {
  it('are the same in plain ASCII and beside other letters', () => {
    const other = hashesOf('é');
    expect(other).toHaveLength(1);
    fc.assert(fc.property(ascii, (text) => expect([...hashesOf(text), ...other]).toEqual(hashesOf(`${text} é`))));
  });

  it('are told apart by their letters and digits alone', () => {
    expect(hashesOf('Hello, World-42!')).toEqual(hashesOf('hello world 42'));
    expect(hashesOf('a[b`c{d@e/f:g')).toHaveLength(7);
    expect(hashesOf(' ... ')).toEqual([]);
  });
});
