import { describe, expect, it } from '@jest/globals';
import { NearDuplicateIndex } from './near-duplicate-index.ts';
import { signatureOfTexts } from './signature.ts';
import { createWords } from './test-support/random-words.ts';

const TRIALS = 300;

describe('near duplicates', () => {
  it('finds at least 85% of the pairs at a similarity of 0.8, 99% at 0.9, and hardly any at 0.6', () => {
    expect(recallAt(0.8)).toBeGreaterThan(0.85);
    expect(recallAt(0.9)).toBeGreaterThan(0.99);
    expect(recallAt(0.6)).toBeLessThan(0.03);
  });

  it('finds them among texts that share half of their words through a template', () => {
    const { text, changed } = createWords(3);
    const template = text(100);
    const index = new NearDuplicateIndex(100_000);
    const bodies = Array.from({ length: 2_000 }, () => text(100));
    for (const body of bodies) index.addAndFind(sign(`${template} ${body}`));
    const found = bodies.slice(0, TRIALS).filter((body, number) => {
      const neighbour = index.addAndFind(sign(`${template} ${changed(body, 6)}`));
      return neighbour !== undefined && (neighbour.number === number || neighbour.number >= bodies.length);
    });
    expect(found.length).toBeGreaterThan(0.95 * TRIALS);
  });

  it('reports how similar two texts are, to within a tenth', () => {
    const { text, changed } = createWords(5);
    const original = text(200);
    const index = new NearDuplicateIndex(10);
    index.addAndFind(sign(original));
    const neighbour = index.addAndFind(sign(changed(original, 10)));
    expect(neighbour?.number).toBe(0);
    expect(Math.abs((neighbour?.similarity ?? 0) - similarityAfter(200, 10))).toBeLessThan(0.1);
  });

  it('compares with what it holds when it is full, and keeps no more', () => {
    const { text } = createWords(7);
    const [first, second] = [text(30), text(30)];
    const index = new NearDuplicateIndex(1);
    index.addAndFind(sign(first));
    expect(index.isFull).toBe(true);
    expect(index.addAndFind(sign(second))).toBeUndefined();
    expect(index.addAndFind(sign(second))).toBeUndefined();
    expect(index.addAndFind(sign(first))).toEqual({ number: 0, similarity: 1 });
    expect(index.length).toBe(1);
  });

  it('goes on finding after its tables have grown many times', () => {
    const { text } = createWords(11);
    const texts = Array.from({ length: 5_000 }, () => text(12));
    const index = new NearDuplicateIndex(100_000);
    for (const each of texts) index.add(sign(each));
    texts.forEach((each, number) => expect(index.addAndFind(sign(each))?.number).toBe(number));
  });
});

function recallAt(similarity: number): number {
  const { text, changed } = createWords(1);
  const words = 200;
  const shingles = words - 2;
  const index = new NearDuplicateIndex(100_000);
  let found = 0;
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const original = text(words);
    index.addAndFind(sign(original));
    const changedWords = Math.round((shingles * (1 - similarity)) / (1 + similarity));
    if (index.addAndFind(sign(changed(original, changedWords))) !== undefined) found += 1;
  }
  return found / TRIALS;
}

/** Computes the similarity of texts whose last words differ. */
function similarityAfter(words: number, changedWords: number): number {
  const shared = words - 2 - changedWords;
  return shared / (words - 2 + changedWords);
}

function sign(content: string): Uint8Array {
  return signatureOfTexts(
    (add) => add(content),
    () => content,
  );
}
