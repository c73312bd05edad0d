import { wordDiff, type WordDiff } from './word-diff.ts';

/** Texts to be compared. */
export interface DiffRequest {
  readonly before: string;
  readonly after: string;
}

/** Time for long texts, which nobody waits for in the page. */
const MAX_MS = 10_000;

self.onmessage = ({ data: { before, after } }: MessageEvent<DiffRequest>) => {
  self.postMessage(wordDiff(before, after, MAX_MS) satisfies WordDiff);
};
