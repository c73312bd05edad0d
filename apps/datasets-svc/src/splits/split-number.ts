import { SPLITS, type Split } from '@clew/contracts';

/** Number for each split, so that a million of them fit in a million bytes; the highest one wins within a group. */
export type SplitNumber = 0 | 1 | 2 | 3;
export const NO_SPLIT: SplitNumber = 0;

export function splitNumber(split: Split | undefined): SplitNumber {
  return split === undefined ? NO_SPLIT : ((SPLITS.indexOf(split) + 1) as SplitNumber);
}
