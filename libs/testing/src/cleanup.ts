import { afterEach } from '@jest/globals';

/** Registers cleanups that run after the current test, in reverse order. */
export function useCleanup(): (end: () => Promise<unknown>) => void {
  const ends: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  return (end) => void ends.push(end);
}
