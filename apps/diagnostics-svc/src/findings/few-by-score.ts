import type { Model } from 'mongoose';
import { takeSlice, type CursorKey, type Slice, type SliceRequest } from '@clew/kernel';
import { compareKeys, type KeysetSort } from '@clew/persistence';
import { BY_SCORE, type FindingDocument } from './finding.model.ts';

/**
 * Number of matches up to which Findings are found by score and sorted here. With more, the list's order soon yields a
 * page.
 */
export const MAX_FEW = 2_000;

export interface FewByScore {
  /** Every equality field of the index, and the lowest score. */
  conditions: Record<string, unknown>;
  /** Range of `lastDetectedAt`: `from` is inclusive, `to` exclusive. */
  from: number | undefined;
  to: number | undefined;
  order: KeysetSort;
  slice: SliceRequest;
}

/**
 * Page of ids of the Findings that have the score, if there are few of them; `undefined` if there are more. Few matches
 * may lie far apart in the order of the list, and its whole index would be read to find them.
 */
export async function fewByScore(
  { collection }: Model<FindingDocument>,
  { conditions, from = 0, to = Infinity, order, slice }: FewByScore,
): Promise<Slice<string> | undefined> {
  const asked = { hint: BY_SCORE, limit: MAX_FEW + 1 };
  if ((await collection.countDocuments(conditions, asked)) > MAX_FEW) return undefined;
  const projection = { _id: 1, lastDetectedAt: 1 };
  const found = await collection
    .find<{ _id: string; lastDetectedAt: number }>(conditions, { ...asked, projection })
    .toArray();
  const keys = found
    .filter(({ lastDetectedAt }) => lastDetectedAt >= from && lastDetectedAt < to)
    .map(({ _id, lastDetectedAt }): CursorKey => [lastDetectedAt, _id])
    .filter((key) => slice.after === undefined || compareKeys(order, key, slice.after) > 0)
    .toSorted((one, other) => compareKeys(order, one, other));
  const { items, next } = await takeSlice(keys, { limit: slice.limit, keyOf: (key) => key });
  return { items: items.map(([, id]) => String(id)), next };
}
