import { z } from 'zod';
import { readCursor } from '../exchange/cursor.ts';
import { SKEW_MS } from '../exchange/times.ts';
import type { TrackerAdapter } from '../tracker/issue-tracker.ts';
import { mapDone, refused } from '../tracker/outcome.ts';
import { IssuesData } from './linear-answers.ts';
import type { LinearApi } from './linear-api.ts';
import { LIST_CHANGED } from './linear-documents.ts';
import { linearIdOf } from './linear-id.ts';
import { linearReading } from './linear-issue.ts';
import type { LinearReader } from './linear-reader.ts';

const PAGE_SIZE = 50;
const NO_TEAM = refused('destination', 'No team is named');
/** Place in a walk: the time it began from, the latest change that was seen, and the cursor of Linear. */
const Cursor = z.tuple([z.number(), z.number(), z.string()]);

export function createLinearLists(
  api: LinearApi,
  teamId: string | undefined,
  { readIssue }: LinearReader,
): Pick<TrackerAdapter, 'findByMarker' | 'listChanged'> {
  return {
    async findByMarker(marker, _sinceMs, signal) {
      if (teamId === undefined) return NO_TEAM;
      const found = await readIssue(linearIdOf(marker), signal);
      return mapDone(found, (issue) => ({ found: issue === null ? [] : [linearReading(issue)], isProof: true }));
    },
    async listChanged(from, signal) {
      if (teamId === undefined) return NO_TEAM;
      // Linear lists the latest change first, so that the first page holds the time for the next walk.
      const start = [from.sinceMs, from.sinceMs, null] as const;
      const [sinceMs, lastMs, after] = readCursor(from.cursor, Cursor) ?? start;
      const updatedAt = { gte: new Date(Math.max(0, sinceMs - SKEW_MS)).toISOString() };
      const variables = { filter: { team: { id: { eq: teamId } }, updatedAt }, first: PAGE_SIZE, after };
      const listed = await api.send({ purpose: 'read', query: LIST_CHANGED, variables }, IssuesData, signal);
      return mapDone(listed, ({ issues: { nodes, pageInfo } }) => {
        const latestMs = Math.max(lastMs, ...nodes.map((issue) => issue.updatedAt));
        const hasMore = pageInfo.hasNextPage && pageInfo.endCursor != null;
        const cursor = hasMore ? JSON.stringify([sinceMs, latestMs, pageInfo.endCursor]) : null;
        return { issues: nodes.map(linearReading), cursor, sinceMs: latestMs };
      });
    },
  };
}
