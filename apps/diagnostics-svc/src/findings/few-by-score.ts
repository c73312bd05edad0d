import type { Model } from 'mongoose';
import { takeSlice, type CursorKey, type Slice, type SliceRequest } from '@clew/kernel';
import { compareKeys, type KeysetSort } from '@clew/persistence';
import { BY_SCORE, type FindingDocument } from './finding.model.ts';

/** So many Findings are looked up by their score, and put in order here; of more, a page is found soon in their order. */
export const MAX_FEW = 2_000;

export interface FewByScore {
  /** Every equality field of the index, and the lowest score. */
  conditions: Record<string, unknown>;
  /** Of `lastDetectedAt`: inclusive, exclusive. */
  from: number | undefined;
  to: number | undefined;
  order: KeysetSort;
  slice: SliceRequest;
}

/**
 * The ids of a page of those Findings that have a score, where these are few. In the order of the list they may lie far
 * apart: the whole of its index would be read for them. Undefined where there are more.
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
