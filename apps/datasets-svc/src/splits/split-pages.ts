import type { CursorKey } from '@clew/kernel';
import {
  MAX_PAGE_CHARACTERS,
  type DatasetKey,
  type ExampleHistory,
  type ExamplePlace,
  type ReadableVersion,
  type SplitPageQuery,
  type SplitPages,
} from '../examples/index.ts';
import { takePage } from '../list-page.ts';
import type { SplitGroups } from './split-groups.ts';
import type { SplitsService } from './splits.service.ts';

/** Bounds the work of one request where a split is small: so many entries of the index are looked at. */
const MAX_LOOKED_AT = 20_000;

/** Pages of one split: what is in it is told from the groups and the index, and only that is read. */
export function createSplitPages(history: ExampleHistory, splits: SplitsService): SplitPages {
  return async (key, version, query) => {
    const { limit, after } = query;
    const { places, reached } = await placesOf(history, await splits.groupsOf(key, version), key, version, query);
    const wanted = places.slice(0, limit);
    if (wanted.length === 0) return { items: [], more: reached !== undefined, reached };
    const walk = history.walk(key, version, { limit: wanted.length, after, only: wanted });
    const page = await takePage(walk, { limit, maxSize: MAX_PAGE_CHARACTERS, sizeOf: ({ body }) => body.length });
    // Too large for one page, or more of the split than the page may hold: the next one begins after its last item.
    if (page.more) return { ...page, reached: placeKey(page.items.at(-1)) };
    if (places.length > limit) return { items: page.items, more: true, reached: placeKey(wanted.at(-1)) };
    return { items: page.items, more: reached !== undefined, reached };
  };
}

/** The places of a split, one more than asked for where there are; `reached` where it was given up before the end. */
async function placesOf(
  history: ExampleHistory,
  groups: SplitGroups,
  key: DatasetKey,
  version: ReadableVersion,
  { split, ratio, limit, after }: SplitPageQuery,
): Promise<{ places: ExamplePlace[]; reached: CursorKey | undefined }> {
  const places: ExamplePlace[] = [];
  let lookedAt = 0;
  for await (const place of history.walkPlaces(key, version, { limit: MAX_LOOKED_AT, after })) {
    if (groups.splitOf(place.id, ratio) === split) places.push(place);
    lookedAt += 1;
    if (places.length > limit || lookedAt === MAX_LOOKED_AT) return { places, reached: placeKey(place) };
  }
  return { places, reached: undefined };
}

function placeKey(place: ExamplePlace | undefined): CursorKey | undefined {
  return place && [place.createdAt, place.id];
}
