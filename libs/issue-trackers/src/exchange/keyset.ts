import { z } from 'zod';
import type { ChangesFrom } from '../tracker/issue-tracker.ts';
import { readCursor } from './cursor.ts';
import { SKEW_MS } from './times.ts';

/**
 * Place in a walk through issues in the order of their change. A page is asked for by the time of the last one before
 * it, because issues that change meanwhile shift numbered pages; numbers count only among equal times.
 */
export interface Place {
  /** Time from which the walk was asked for. */
  floorMs: number;
  sinceMs: number;
  page: number;
}

const PlaceCursor = z.tuple([z.int().min(0), z.int().min(0), z.int().min(1)]);

export function placeOf({ sinceMs, cursor }: ChangesFrom): Place {
  const read = readCursor(cursor, PlaceCursor);
  // Changes are not visible in the order of their times: a change that was late by a little is in the next walk.
  if (read === undefined) return { floorMs: sinceMs, sinceMs: Math.max(0, sinceMs - SKEW_MS), page: 1 };
  return { floorMs: read[0], sinceMs: read[1], page: read[2] };
}

/** Returns the next place of a walk after a page with issues of these times. */
export function afterPage(
  { floorMs, sinceMs, page }: Place,
  changedAtMs: readonly number[],
  pageSize: number,
): { cursor: string | null; sinceMs: number } {
  const lastMs = Math.max(sinceMs, ...changedAtMs);
  const next = lastMs > sinceMs ? [floorMs, lastMs, 1] : [floorMs, sinceMs, page + 1];
  const isLast = changedAtMs.length < pageSize;
  return { cursor: isLast ? null : JSON.stringify(next), sinceMs: Math.max(floorMs, lastMs) };
}
