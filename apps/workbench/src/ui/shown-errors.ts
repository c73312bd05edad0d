import { useLayoutEffect } from 'react';

/** Errors that a view shows in the place of what it could not read, each with the number of its places. */
const shown = new Map<Error, number>();
const listeners = new Set<() => void>();

function add(error: Error, by: 1 | -1): void {
  const count = (shown.get(error) ?? 0) + by;
  if (count > 0) shown.set(error, count);
  else shown.delete(error);
  for (const listener of listeners) listener();
}

export const shownErrors = {
  has: (error: Error): boolean => shown.has(error),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Says that the error is shown here, with the id to quote, so that the page need not tell it again. */
export function useShownError(error: Error): void {
  useLayoutEffect(() => {
    add(error, 1);
    return () => add(error, -1);
  }, [error]);
}
