import type { Api } from '@clew/sdk';

type Offered = Pick<Api.Finding, 'id' | 'mergedInto'>;

/**
 * Findings into which others may be merged: those that were chosen first, if there are several of them, then those that
 * were found; each once, and none that is merged itself.
 */
export function mergeOffers<F extends Offered>(chosen: readonly F[], found: readonly F[]): F[] {
  const own = chosen.length > 1 ? chosen : [];
  const chosenIds = new Set(chosen.map(({ id }) => id));
  return [...own, ...found.filter(({ id }) => !chosenIds.has(id))].filter(({ mergedInto }) => mergedInto === null);
}

/** Findings that leave the list if the others are merged into one of them, or into another one. */
export function mergedAway<F extends Offered>(chosen: readonly F[], targetId: string): F[] {
  return chosen.filter(({ id }) => id !== targetId);
}

/** Sums up a merge: `3 merged, 1 refused`. */
export function mergeSummary(merged: number, refused: number): string {
  const told = [...(merged === 0 ? [] : [`${merged} merged`]), ...(refused === 0 ? [] : [`${refused} refused`])];
  return told.length === 0 ? 'Nothing merged' : told.join(', ');
}
