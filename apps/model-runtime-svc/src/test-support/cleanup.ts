import { afterEach } from '@jest/globals';

/** Ends things after the test that made them, the last one first. */
export function useCleanup(): (end: () => Promise<unknown>) => void {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  return (end) => void ends.push(end);
}
