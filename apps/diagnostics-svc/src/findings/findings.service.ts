import type { Finding, FindingQuery } from '@clew/contracts';
import { notFound, page, type CursorCodec } from '@clew/kernel';
import type { StoredFinding } from './finding.ts';
import { FINDINGS, type FindingStore } from './findings.store.ts';

export interface FindingsDependencies {
  findings: FindingStore;
  cursors: CursorCodec;
}

export type FindingsService = ReturnType<typeof createFindingsService>;

export function createFindingsService({ findings, cursors }: FindingsDependencies) {
  return {
    async list(projectId: string, { limit, cursor, ...filter }: FindingQuery) {
      const request = { projectId, filters: filter, limit, cursor };
      const { items, nextCursor } = await page(cursors, FINDINGS, request, (slice) =>
        findings.list(projectId, filter, slice),
      );
      return { findings: items.map(findingView), pagination: { limit, nextCursor } };
    },

    async get(projectId: string, findingId: string): Promise<Finding> {
      const finding = await findings.get(projectId, findingId);
      if (finding === undefined) throw notFound('FINDING_NOT_FOUND', 'The Finding does not exist');
      return findingView(finding);
    },
  };
}

/** A Finding as callers see it. */
export function findingView(finding: StoredFinding): Finding {
  const { ruleId, ruleKey, categoryKey, anchor, window, listed: _, primaryOccurrenceId: _primary, ...shown } = finding;
  return {
    ...shown,
    metadata: { categoryKey, diagnosticRule: { ruleId, ruleKey } },
    conversationId: anchor.conversationId,
    diagnosticAnchor: anchor,
    evidenceWindow: {
      startMs: Math.min(...window.map(({ startMs }) => startMs)),
      endMs: Math.max(...window.map(({ endMs }) => endMs)),
      conversationIds: window.map(({ conversationId }) => conversationId),
    },
    workItem: null,
  };
}
