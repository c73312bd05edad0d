import {
  SEVERITIES,
  type Finding,
  type FindingCounts,
  type FindingCountsQuery,
  type FindingFilter,
  type FindingQuery,
  type FindingSeriesQuery,
} from '@clew/contracts';
import { notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import { ACTIVITY, type Activity, type ActivityStore } from './activity/index.ts';
import { findingView } from './finding-view.ts';
import type { StoredFinding } from './finding.ts';
import { FINDINGS, type FindingStore } from './findings.store.ts';
import { occurrenceView } from './occurrences/occurrence-view.ts';
import type { SeriesStore } from './series/index.ts';
import { OCCURRENCES, type CountWindow, type OccurrenceStore } from './occurrences/occurrences.store.ts';

export interface FindingsDependencies {
  findings: FindingStore;
  occurrences: OccurrenceStore;
  activities: ActivityStore;
  series: SeriesStore;
  cursors: CursorCodec;
  clock: Clock;
  /** Address of the Workbench. */
  publicUrl?: string | undefined;
}

export interface FindingKey {
  projectId: string;
  findingId: string;
}

export type FindingsService = ReturnType<typeof createFindingsService>;

/** Reads Findings, their occurrences and their activity. */
export function createFindingsService({
  findings,
  occurrences,
  activities,
  series,
  cursors,
  clock,
  publicUrl,
}: FindingsDependencies) {
  async function get({ projectId, findingId }: FindingKey): Promise<StoredFinding> {
    const finding = await findings.get(projectId, findingId);
    if (finding === undefined) throw notFound('FINDING_NOT_FOUND', 'The Finding does not exist');
    return finding;
  }

  return {
    get,

    async list(projectId: string, { limit, cursor, sort, ...named }: FindingQuery, callerId: string) {
      const filter = filterFor(callerId, named);
      const request = { projectId, filters: { ...filter, sort }, limit, cursor };
      const nowMs = clock.now();
      const { items, nextCursor } = await page(cursors, FINDINGS, request, (slice) =>
        findings.list(projectId, filter, { ...slice, sort }),
      );
      return { findings: items.map((item) => findingView(item, nowMs, publicUrl)), pagination: { limit, nextCursor } };
    },

    async counts(
      projectId: string,
      { by = [], ...named }: FindingCountsQuery,
      callerId: string,
    ): Promise<FindingCounts> {
      return findings.countList(projectId, filterFor(callerId, named), by);
    },

    async series(projectId: string, query: FindingSeriesQuery) {
      return { series: await series.read(projectId, query) };
    },

    /** Findings that a conversation shows, the worst first. */
    async shownBy(projectId: string, conversationId: string): Promise<Finding[]> {
      const shown = await findings.shownBy(projectId, conversationId);
      const rank = ({ severity }: StoredFinding) => SEVERITIES.indexOf(severity);
      return shown
        .toSorted((one, other) => rank(one) - rank(other) || other.diagnosticScore - one.diagnosticScore)
        .map((finding) => findingView(finding, clock.now(), publicUrl));
    },

    async occurrences(key: FindingKey, { limit, cursor }: PageQuery) {
      const { projectId, findingId } = key;
      const request = { projectId, filters: { findingId }, limit, cursor };
      const { items, nextCursor } = await page(cursors, OCCURRENCES, request, async (slice) => {
        return occurrences.list(projectId, countedIdsOf(await get(key)), slice);
      });
      return { occurrences: items.map(occurrenceView), nextCursor };
    },

    async occurrenceCounts(key: FindingKey, window: CountWindow) {
      const finding = await get(key);
      return { counts: await occurrences.count(key.projectId, countedIdsOf(finding), window) };
    },

    async activity(key: FindingKey, { limit, cursor }: PageQuery) {
      const { projectId, findingId } = key;
      const request = { projectId, filters: { findingId }, limit, cursor };
      const { items, nextCursor } = await page(cursors, ACTIVITY, request, async (slice) => {
        await get(key);
        return activities.list(projectId, findingId, slice);
      });
      return { activity: items.map(activityView), nextCursor };
    },

    async activityEntry(key: FindingKey, activityId: string) {
      const entry = await activities.get(key.projectId, key.findingId, activityId);
      if (entry === undefined) throw notFound('FINDING_NOT_FOUND', 'The entry does not exist');
      return activityView(entry);
    },
  };
}

/** Filter in which `me` is the caller, and nobody is an empty name. */
function filterFor(callerId: string, filter: FindingFilter): FindingFilter {
  const names: Readonly<Record<string, string>> = { me: callerId, none: '' };
  const { assignee } = filter;
  return assignee === undefined ? filter : { ...filter, assignee: names[assignee] ?? assignee };
}

/** Findings whose conversations count for this one. */
function countedIdsOf({ id, memberIds = [] }: StoredFinding): string[] {
  return [id, ...memberIds];
}

/** Entry as callers see it. */
export function activityView({ projectId: _, ...shown }: Activity) {
  return shown;
}
