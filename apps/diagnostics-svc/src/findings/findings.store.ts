import { REVIEW_STATUSES, RESOLUTION_STATUSES, SEVERITIES, type FindingQuery } from '@clew/contracts';
import type { CursorKey } from '@clew/kernel';
import { keysetFilter, type Database, type KeysetSort } from '@clew/persistence';
import type { StoredFinding } from './finding.ts';
import { findingModel, type FindingDocument } from './finding.model.ts';

export type FindingFilter = Omit<FindingQuery, 'limit' | 'cursor'>;

export interface FindingStore {
  get(projectId: string, findingId: string): Promise<StoredFinding | undefined>;
  /** Last detected first. */
  list(
    projectId: string,
    filter: FindingFilter,
    page: { limit: number; after?: CursorKey | undefined },
  ): Promise<StoredFinding[]>;
}

const LAST_DETECTED_FIRST: KeysetSort = [
  ['lastDetectedAt', -1],
  ['_id', -1],
];

export function createFindingStore(database: Database): FindingStore {
  const model = findingModel(database.connection);
  return {
    async get(projectId, findingId) {
      const document = await model.findOne({ _id: findingId, projectId, listed: true }).lean();
      return document === null ? undefined : fromDocument(document);
    },
    async list(projectId, filter, { limit, after }) {
      const position = after === undefined ? [] : [keysetFilter(LAST_DETECTED_FIRST, after)];
      const documents = await model
        .find({ $and: [conditionsOf(projectId, filter), ...position] })
        .sort({ lastDetectedAt: -1, _id: -1 })
        .limit(limit)
        .lean<FindingDocument[]>();
      return documents.map(fromDocument);
    },
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
