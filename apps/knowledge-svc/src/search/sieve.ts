import type { ItemStatus } from '@clew/contracts';
import { isHeld, isOfStatus, type Sifted } from '../items/index.ts';

/** Condition of a search on items, with the fields that it reads: reading fewer of them takes less time. */
export interface Sieve {
  fields: Partial<Record<keyof Sifted, 1>>;
  isWanted(item: Sifted): boolean;
}

export interface SieveOptions {
  goalId?: string | undefined;
  /** Time at which items were held; then their state does not count. */
  asOf?: number | undefined;
  /** State of the items, or both that hold and that were replaced. */
  status?: ItemStatus | 'not archived' | undefined;
}

export function sieveOf({ goalId, asOf, status }: SieveOptions): Sieve {
  return {
    fields: {
      standing: 1,
      ...(goalId === undefined ? {} : { goalId: 1 }),
      ...(asOf === undefined ? {} : { heldFrom: 1, heldUntil: 1 }),
    },
    isWanted(item) {
      if (goalId !== undefined && item.goalId !== goalId) return false;
      if (asOf !== undefined) return isHeld(item, asOf);
      return status === 'not archived' ? item.standing !== 'archived' : isOfStatus(item, status);
    },
  };
}
