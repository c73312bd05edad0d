import { REVIEW_STATUSES, RESOLUTION_STATUSES, SEVERITIES, type FindingQuery } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Database, type KeysetList } from '@clew/persistence';
import type { StoredFinding } from './finding.ts';
import { findingModel, type FindingDocument } from './finding.model.ts';

export type FindingFilter = Omit<FindingQuery, 'limit' | 'cursor'>;

export interface FindingStore {
  get(projectId: string, findingId: string): Promise<StoredFinding | undefined>;
  /** Last detected first. */
  list(projectId: string, filter: FindingFilter, slice: SliceRequest): Promise<Slice<StoredFinding>>;
}

export const FINDINGS: KeysetList = {
  name: 'findings',
  order: [
    ['lastDetectedAt', -1],
    ['_id', -1],
  ],
  invalidCursor: 'INVALID_FILTER',
};

export function createFindingStore(database: Database): FindingStore {
  const model = findingModel(database.connection);
  return {
    async get(projectId, findingId) {
      const document = await model.findOne({ _id: findingId, projectId, listed: true }).lean();
      return document === null ? undefined : fromDocument(document);
    },
    list: (projectId, filter, slice) =>
      readSlice(model, FINDINGS.order, { filter: conditionsOf(projectId, filter), ...slice }, fromDocument),
  };
}

/** Every field before the sort fields of the index is given, so that the index alone finds and orders the page. */
export function conditionsOf(projectId: string, filter: FindingFilter): Record<string, unknown> {
  const { lastDetectedAfter, lastDetectedBefore, minDiagnosticScore } = filter;
  return {
    projectId,
    listed: true,
    reviewStatus: filter.reviewStatus ?? { $in: REVIEW_STATUSES },
    resolutionStatus: filter.resolutionStatus ?? { $in: RESOLUTION_STATUSES },
    severity: filter.severity ?? { $in: SEVERITIES },
    ...(lastDetectedAfter === undefined && lastDetectedBefore === undefined
      ? {}
      : {
          lastDetectedAt: {
            ...(lastDetectedAfter === undefined ? {} : { $gte: lastDetectedAfter }),
            ...(lastDetectedBefore === undefined ? {} : { $lt: lastDetectedBefore }),
          },
        }),
    ...(minDiagnosticScore === undefined ? {} : { diagnosticScore: { $gte: minDiagnosticScore } }),
  };
}

export function fromDocument({ _id, ...rest }: FindingDocument): StoredFinding {
  return { id: _id, ...rest };
}
