import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  bandKeysOf,
  decodeSignature,
  encodeSignature,
  NEAR_DUPLICATE_SIMILARITY,
  SIGNATURE_BANDS,
  SIGNATURE_BYTES,
  signatureOfTexts,
  similarityOf,
} from './signature.ts';
import { SignatureList } from './signature-list.ts';
import { createWords } from './test-support/random-words.ts';

const WORDS = 200;

/** Any signature, and one that differs from it in some bytes. */
const pair = fc
  .tuple(
    fc.uint8Array({ minLength: SIGNATURE_BYTES, maxLength: SIGNATURE_BYTES }),
    fc.array(fc.tuple(fc.nat(SIGNATURE_BYTES - 1), fc.nat(255)), { maxLength: 40 }),
  )
  .map(([left, changes]) => {
    const right = left.slice();
    for (const [at, byte] of changes) right[at] = byte;
    return [left, right] as const;
  });

describe('the signature of texts', () => {
  it('tells how similar they are: without bias, and to within a sixth', () => {
    const { text, changed } = createWords(1);
    const errors = Array.from({ length: 600 }, (_, trial) => {
      const original = text(WORDS);
      const other = changed(original, trial % WORDS);
      return similarityOf(sign(original), sign(other)) - trueSimilarity(original, other);
    });
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(1 / 6);
    expect(Math.abs(errors.reduce((sum, error) => sum + error, 0) / errors.length)).toBeLessThan(0.01);
  });

  it('does not see how they are cut, written or repeated', () => {
    const word = fc.stringMatching(/^[a-zé]{1,6}$/);
    const separator = fc.constantFrom(' ', ', ', '\n', ' — ', '...');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), separator, fc.nat(30), (words, between, cut) => {
        const whole = sign(words.join(' '));
        const loud = words.join(between).toUpperCase().normalize('NFD');
        if (words.length > 0) expect(sign(loud)).toEqual(whole);
        expect(sign(words.slice(0, cut).join(' '), words.slice(cut).join(' '))).toEqual(whole);
      }),
    );
  });

  it('is that of the fallback where they hold no word', () => {
    expect(sign('?!')).not.toEqual(sign('...'));
    expect(sign('?!')).toEqual(sign('?!'));
    expect(sign('', '')).toEqual(sign(''));
  });

  it('stays what it is: stored ones were made the same way', () => {
    const texts = [
      'The quick brown fox jumps over the lazy dog',
      'Größe, naïve ＡＢＣ 我想取消我的订单',
      'yes',
      '?!',
      '',
    ];
    expect(texts.map((text) => encodeSignature(sign(text)))).toMatchInlineSnapshot(`
     [
       "bmh0XC+3uSyWQNdFPcZ82a2mI7IJvhI0dnZbwfIz1uHNpPzP20eaNns2CKNbwVUmL5vSumr6sJ//JO7UMxthKw==",
       "neSvf8UAiuKfyNMs8RtecerU02wasrFhsr3W63W43gaNvgskJYn4iz9CzgJ44qFYg/lmpL7SM5eYJ0Yx5H1tNA==",
       "KzzjVd0Cfw3qt4GmW5LES/32v20GNk7rGB8pqsuMjVrLH6ZNvxQ7syBm6AYDDQ4AjNFiP3aPSFNy4dt6glswJw==",
       "oqAaXX6IsU8F8RA6udDcTeV/EmONLfm7+lnIvQE8K6sl0EUOuLBqKd8oo++pIymiIPuO356UOkxlDLWZh0qT0A==",
       "EyPGfU3Y6lGkFy4Nje3txyLQHvubFsHKDoya4dfDAhjEpOXMSBfXqacJlWuyrPpdJaQ7hfPO3AEnklKtn9vOtw==",
     ]
    `);
  });
});

describe('two signatures', () => {
  it('are as similar either way, and wholly to themselves', () => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        expect(similarityOf(left, right)).toBe(similarityOf(right, left));
        expect(similarityOf(left, left)).toBe(1);
      }),
    );
  });

  it('share the key of a band exactly where they agree in it', () => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const keys = new Set(bandKeysOf(left));
        const shared = bandKeysOf(right).filter((key) => keys.has(key)).length;
        const bands = Array.from({ length: SIGNATURE_BANDS }, (_, band) => [4 * band, 4 * band + 4] as const);
        const hex = (signature: Uint8Array, range: readonly [number, number]) =>
          Buffer.from(signature.subarray(...range)).toString('hex');
        expect(shared).toBe(bands.filter((range) => hex(left, range) === hex(right, range)).length);
        expect([...keys].every(Number.isSafeInteger)).toBe(true);
      }),
    );
  });

  it('are near in a list exactly from the similarity on that makes near duplicates', () => {
    fc.assert(
      fc.property(pair, ([left, right]) => {
        const list = new SignatureList();
        const similarity = similarityOf(left, right);
        const nearness = list.nearness(list.push(left), list.push(right));
        expect(nearness).toBe(similarity >= NEAR_DUPLICATE_SIMILARITY ? similarity : 0);
        expect(list.hash(0) === list.hash(1)).toBe(Buffer.from(left).equals(right));
      }),
    );
  });

  it('are stored as text, and come back as they were', () => {
    fc.assert(
      fc.property(pair, ([signature]) => {
        const stored = encodeSignature(signature);
        expect(stored).toMatch(/^[A-Za-z0-9+/]{86}==$/);
        expect(Buffer.from(decodeSignature(stored)).equals(signature)).toBe(true);
      }),
    );
  });
});

it('a list takes no signature of another format', () => {
  const list = new SignatureList();
  expect(() => list.push(new Uint8Array(SIGNATURE_BYTES - 1))).toThrow('64 bytes');
  expect(list.length).toBe(0);
});

function sign(...texts: readonly string[]): Uint8Array {
  return signatureOfTexts(
    (add) => texts.forEach(add),
    () => texts.join(''),
  );
}

function trueSimilarity(left: string, right: string): number {
  const [a, b] = [shinglesOf(left), shinglesOf(right)];
  const shared = [...a].filter((shingle) => b.has(shingle)).length;
  return shared / (a.size + b.size - shared);
}

function shinglesOf(text: string): Set<string> {
  const words = text.split(' ');
  return new Set(words.slice(2).map((word, index) => [words[index], words[index + 1], word].join(' ')));
}
