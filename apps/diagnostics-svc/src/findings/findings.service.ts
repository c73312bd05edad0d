import type { Finding, FindingQuery } from '@clew/contracts';
import { AppError, notFound, type CursorCodec, type CursorScope } from '@clew/kernel';
import type { StoredFinding } from './finding.ts';
import type { FindingStore } from './findings.store.ts';

export interface FindingsDependencies {
  findings: FindingStore;
  cursors: CursorCodec;
}

export type FindingsService = ReturnType<typeof createFindingsService>;

export function createFindingsService({ findings, cursors }: FindingsDependencies) {
  return {
    async list(projectId: string, { limit, cursor, ...filter }: FindingQuery) {
      const scope: CursorScope = { list: 'findings', projectId, filters: filter };
      const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
      if (cursor !== undefined && after === undefined) {
        throw new AppError('INVALID_FILTER', 'The cursor is not valid for these filters', {
          details: [{ path: 'query.cursor', message: 'is not valid for these filters' }],
        });
      }
      const found = await findings.list(projectId, filter, { limit: limit + 1, after });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const more = found.length > limit && last !== undefined;
      const nextCursor = more ? cursors.encode(scope, [last.lastDetectedAt, last.id]) : null;
      return { findings: page.map(findingView), pagination: { limit, nextCursor } };
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
