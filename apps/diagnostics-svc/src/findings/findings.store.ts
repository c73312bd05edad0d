import { REVIEW_STATUSES, RESOLUTION_STATUSES, SEVERITIES, type FindingQuery } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import type { FindingDescription, FindingHead, StoredFinding } from './finding.ts';
import { fewByScore } from './few-by-score.ts';
import { DESCRIPTION_ALONE, findingModel, IN_ORDER, occurrenceModel, type FindingDocument } from './finding.model.ts';

export type FindingFilter = Omit<FindingQuery, 'limit' | 'cursor'>;

export interface FindingStore {
  /** Reads a Finding, even one that is no longer listed. */
  get(projectId: string, findingId: string, tx?: Transaction): Promise<StoredFinding | undefined>;
  /** Writes the fields that people set, and those that depend on them; fields from results stay as they are. */
  saveHead(tx: Transaction, head: FindingHead): Promise<void>;
  /** Findings that a conversation shows; a merged one is replaced by its root. */
  shownBy(projectId: string, conversationId: string): Promise<StoredFinding[]>;
  /** Finding for which the conversations of each id count: itself, or the root into which it was merged. */
  rootsOf(projectId: string, findingIds: readonly string[]): Promise<Map<string, StoredFinding>>;
  /** Lists Findings, last detected first. */
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

  /** Adds descriptions: the worst occurrence of a root may belong to a Finding that was merged into it. */
  async function described(projectId: string, findings: StoredFinding[], tx?: Transaction): Promise<StoredFinding[]> {
    const ids = new Set(findings.flatMap(({ primary }) => primary?.findingId ?? []));
    if (ids.size === 0) return findings;
    const documents = await model
      .find({ projectId, _id: { $in: [...ids] } }, DESCRIPTION_ALONE)
      .session(tx ?? null)
      .lean<(FindingDescription & { _id: string })[]>();
    const descriptions = new Map(documents.map(({ _id, ...description }) => [_id, description]));
    return findings.map((finding) => ({ ...finding, ...descriptions.get(finding.primary?.findingId ?? '') }));
  }

  async function getMany(projectId: string, findingIds: readonly string[]): Promise<StoredFinding[]> {
    if (findingIds.length === 0) return [];
    return (await model.find({ projectId, _id: { $in: findingIds } }).lean()).map(fromDocument);
  }

  async function rootsOf(projectId: string, findingIds: readonly string[]): Promise<Map<string, StoredFinding>> {
    const found = await getMany(projectId, findingIds);
    const merged = found.flatMap(({ rootId }) => rootId ?? []);
    const foundIds = new Set(found.map(({ id }) => id));
    const others = await getMany(
      projectId,
      merged.filter((id) => !foundIds.has(id)),
    );
    const all = await described(projectId, [...found, ...others]);
    const byId = new Map(all.map((finding) => [finding.id, finding]));
    return new Map(
      found.flatMap(({ id, rootId }) => {
        const root = byId.get(rootId ?? id);
        return root === undefined ? [] : [[id, root] as const];
      }),
    );
  }

  async function fewOf(projectId: string, filter: FindingFilter, slice: SliceRequest) {
    const { lastDetectedAfter: from, lastDetectedBefore: to, ...others } = filter;
    const conditions = conditionsOf(projectId, others);
    const few = await fewByScore(model, { conditions, from, to, order: FINDINGS.order, slice });
    if (few === undefined) return undefined;
    const found = new Map((await getMany(projectId, few.items)).map((finding) => [finding.id, finding]));
    return {
      items: await described(
        projectId,
        few.items.flatMap((id) => found.get(id) ?? []),
      ),
      next: few.next,
    };
  }

  return {
    async get(projectId, findingId, tx) {
      const document = await model
        .findOne({ _id: findingId, projectId })
        .session(tx ?? null)
        .lean();
      if (document === null) return undefined;
      const [finding] = await described(projectId, [fromDocument(document)], tx);
      return finding;
    },
    async saveHead(tx, { id: _id, projectId, ...head }) {
      await model.updateOne({ _id, projectId }, { $set: setByPeople(head) }).session(tx);
    },
    async shownBy(projectId, conversationId) {
      const occurrences = occurrenceModel(database.connection);
      const shown = await occurrences.find({ projectId, conversationId }, { findingId: 1 }).lean();
      const roots = await rootsOf(projectId, [...new Set(shown.map(({ findingId }) => findingId))]);
      return [...new Set(roots.values())];
    },
    rootsOf,
    async list(projectId, filter, slice) {
      const few = filter.minDiagnosticScore === undefined ? undefined : await fewOf(projectId, filter, slice);
      if (few !== undefined) return few;
      const request = { filter: conditionsOf(projectId, filter), hint: IN_ORDER, ...slice };
      const { items, ...rest } = await readSlice(model, FINDINGS.order, request, fromDocument);
      return { items: await described(projectId, items), ...rest };
    },
  };
}

function setByPeople(head: Omit<FindingHead, 'id' | 'projectId'>) {
  const { reviewStatus, reviewedAt, resolutionStatus, resolvedAt, regressedAt, verification } = head;
  const { assignee, snooze, listed, sequence, revision, updatedAt, workItem = null } = head;
  return {
    ...{ reviewStatus, reviewedAt, resolutionStatus, resolvedAt, regressedAt, verification },
    ...{ assignee, snooze, listed, sequence, revision, updatedAt, workItem },
  };
}

/**
 * Conditions with every field before the sort fields of the index, so that the index alone finds and orders the page.
 */
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

export function fromDocument({ _id, own: _own, ...rest }: FindingDocument): StoredFinding {
  return { id: _id, ...rest };
}
