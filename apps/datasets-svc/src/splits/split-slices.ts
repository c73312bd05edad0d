import { takeSlice } from '@clew/kernel';
import { MAX_SLICE_SIZE, placeKey, type ExampleHistory, type SplitSlices } from '../examples/index.ts';
import type { SplitsService } from './splits.service.ts';

/** Index entries that one request looks at, which limits its work for a small split. */
const MAX_LOOKED_AT = 20_000;

/** Reads slices of one split: groups and index tell which Examples are in it, and only those are read. */
export function createSplitSlices(history: ExampleHistory, splits: Pick<SplitsService, 'groupsOf'>): SplitSlices {
  return async (key, version, { split, ratio, limit, after }) => {
    const groups = await splits.groupsOf(key, version);
    const isOfSplit = ({ id }: { id: string }) => groups.splitOf(id, ratio) === split;
    const places = await takeSlice(history.walkPlaces(key, version, { limit: MAX_LOOKED_AT, after }), {
      ...{ limit, keyOf: placeKey },
      among: { accepts: isOfSplit, maxLookedAt: MAX_LOOKED_AT },
    });
    if (places.items.length === 0) return { items: [], next: places.next };
    const walk = history.walk(key, version, { limit, after, only: places.items });
    const { items, next } = await takeSlice(walk, { limit, keyOf: placeKey, size: MAX_SLICE_SIZE });
    return { items, next: next ?? places.next };
  };
}
