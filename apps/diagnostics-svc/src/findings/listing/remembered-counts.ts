import type { CountEntries } from '@clew/persistence';
import { LRUCache } from 'lru-cache';

const REMEMBERED_MS = 30_000;
const MAX_REMEMBERED = 10_000;

/**
 * Remembers counts for a while, for choices that are right whatever the number is: which way leads to the fewest. The
 * pages of a list, its other orders and those who look at it beside each other then count once.
 */
export function rememberedCounts(count: CountEntries): CountEntries {
  const remembered = new LRUCache<string, Promise<number>>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });
  return (query, options) => {
    const key = JSON.stringify([query, options.hint, options.limit]);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const counted = count(query, options);
    remembered.set(key, counted);
    // A failure is for those who asked meanwhile, and for nobody after them.
    counted.catch(() => remembered.delete(key));
    return counted;
  };
}
