import { useState } from 'react';

interface Patch<Values> {
  /** Stored values, with what was changed in the form. */
  readonly value: Values;
  readonly patch: Partial<Values>;
  readonly isChanged: boolean;
  readonly set: (change: Partial<Values>) => void;
  readonly reset: () => void;
}

/** Changes of a form, of which only those are sent: what somebody else changes meanwhile stays. */
export function usePatch<Values extends object>(stored: Values): Patch<Values> {
  const [patch, setPatch] = useState<Partial<Values>>({});
  const entries = Object.entries(patch).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name as keyof Values]),
  );
  return {
    value: { ...stored, ...patch },
    patch: Object.fromEntries(entries) as Partial<Values>,
    isChanged: entries.length > 0,
    set: (change) => setPatch({ ...patch, ...change }),
    reset: () => setPatch({}),
  };
}
