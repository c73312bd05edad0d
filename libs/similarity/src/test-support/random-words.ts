import { imul } from '../mix32.ts';

/** Creates texts of random words, the same for the same seed (a linear congruential generator). */
export function createWords(seed: number) {
  let state = seed;
  const next = (below: number) => {
    state = (imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = () => `w${next(20_000).toString(36)}`;
  const text = (count: number) => Array.from({ length: count }, word).join(' ');
  return {
    text,
    /** Returns the text with this many of its last words replaced. */
    changed: (original: string, count: number) => {
      const words = original.split(' ');
      return [...words.slice(0, words.length - count), text(count)].join(' ');
    },
  };
}
