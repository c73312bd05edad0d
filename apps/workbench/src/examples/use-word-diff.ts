import { useEffect, useMemo, useState } from 'react';
import { isLong, unmarked, wordDiff, type WordDiff } from './word-diff.ts';
import type { DiffRequest } from './word-diff-worker.ts';

interface Compared extends DiffRequest {
  readonly diff: WordDiff;
}

/** Difference of two texts. Long ones are compared beside the page, and shown without marks until that is done. */
export function useWordDiff(before: string, after: string): { diff: WordDiff; isPending: boolean } {
  const isBeside = isLong(before, after);
  const here = useMemo(() => (isBeside ? unmarked(before, after) : wordDiff(before, after)), [isBeside, before, after]);
  const [compared, setCompared] = useState<Compared>();
  useEffect(() => {
    if (!isBeside) return;
    const worker = new Worker(new URL('./word-diff-worker.ts', import.meta.url), { type: 'module' });
    const take = (diff: WordDiff) => {
      worker.terminate();
      setCompared({ before, after, diff });
    };
    worker.onmessage = ({ data }: MessageEvent<WordDiff>) => take(data);
    // A browser that runs no worker shows the texts as they are.
    worker.onerror = () => take(unmarked(before, after));
    worker.postMessage({ before, after } satisfies DiffRequest);
    return () => worker.terminate();
  }, [isBeside, before, after]);
  const isDone = compared?.before === before && compared.after === after;
  return { diff: isBeside && isDone ? compared.diff : here, isPending: isBeside && !isDone };
}
