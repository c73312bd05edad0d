import type { FindingCounts, FindingFacet, FindingFilter, FindingSort } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { createCountEntries, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import type { FindingDescription, FindingHead, StoredFinding } from './finding.ts';
import {
  DESCRIPTION_ALONE,
  findingCollection,
  findingModel,
  occurrenceModel,
  type FindingDocument,
} from './finding.model.ts';
import {
  countList,
  DEFAULT_SORT,
  listingRowOf,
  NOT_SHOWN,
  readList,
  rememberedCounts,
  SORTS,
} from './listing/index.ts';
import { createPlanOfList } from './plan-of-list.ts';

/** Filters with `assignee` as an id; empty for Findings that nobody is responsible for. */
export type StoredFilter = FindingFilter;

export interface FindingStore {
  /** Reads a Finding, even one that is no longer listed. */
  get(projectId: string, findingId: string, tx?: Transaction): Promise<StoredFinding | undefined>;
  /** Writes the fields that people set, and those that depend on them; fields from results stay as they are. */
  saveHead(tx: Transaction, head: FindingHead): Promise<void>;
  /** Findings that a conversation shows; a merged one is replaced by its root. */
  shownBy(projectId: string, conversationId: string): Promise<StoredFinding[]>;
  /** Finding for which the conversations of each id count: itself, or the root into which it was merged. */
  rootsOf(projectId: string, findingIds: readonly string[]): Promise<Map<string, StoredFinding>>;
  /** Lists Findings, last detected first or by another field. */
  list(
    projectId: string,
    filter: StoredFilter,
    slice: SliceRequest & { sort?: FindingSort | undefined },
  ): Promise<Slice<StoredFinding>>;
  /** Counts the Findings of a list by the values of fields. */
  countList(projectId: string, filter: StoredFilter, by: readonly FindingFacet[]): Promise<FindingCounts>;
}

export const FINDINGS: KeysetList = {
  name: 'findings',
  order: SORTS[DEFAULT_SORT].order,
  invalidCursor: 'INVALID_FILTER',
};

export function createFindingStore(database: Database): FindingStore {
  const model = findingModel(database.connection);
  const collection = findingCollection(database);
  const planOfList = createPlanOfList(database);
  const count = createCountEntries(database, collection);
  const listed = { findings: collection, count, recentCount: rememberedCounts(count) };

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

  async function read(projectId: string, findingIds: readonly string[]): Promise<FindingDocument[]> {
    if (findingIds.length === 0) return [];
    const ids = { projectId, _id: { $in: [...findingIds] } };
    return collection.find(ids, { hint: { _id: 1 }, projection: NOT_SHOWN }).toArray();
  }

  async function rootsOf(projectId: string, findingIds: readonly string[]): Promise<Map<string, StoredFinding>> {
    const found = (await read(projectId, findingIds)).map(fromDocument);
    const merged = found.flatMap(({ rootId }) => rootId ?? []);
    const foundIds = new Set(found.map(({ id }) => id));
    const others = await read(
      projectId,
      merged.filter((id) => !foundIds.has(id)),
    );
    const all = await described(projectId, [...found, ...others.map(fromDocument)]);
    const byId = new Map(all.map((finding) => [finding.id, finding]));
    return new Map(
      found.flatMap(({ id, rootId }) => {
        const root = byId.get(rootId ?? id);
        return root === undefined ? [] : [[id, root] as const];
      }),
    );
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
      await model
        .updateOne({ _id, projectId }, { $set: { ...setByPeople(head), listing: listingRowOf(head) } })
        .session(tx);
    },
    async shownBy(projectId, conversationId) {
      const occurrences = occurrenceModel(database.connection);
      const shown = await occurrences.find({ projectId, conversationId }, { findingId: 1 }).lean();
      const roots = await rootsOf(projectId, [...new Set(shown.map(({ findingId }) => findingId))]);
      return [...new Set(roots.values())];
    },
    rootsOf,
    async list(projectId, filter, { sort, ...slice }) {
      const plan = await planOfList(projectId, filter, sort);
      const { items, next } = await readList(listed, plan, { sort, ...slice });
      return { items: await described(projectId, items.map(ofPage)), next };
    },
    async countList(projectId, filter, by) {
      return countList(listed, await planOfList(projectId, filter), by);
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

export function fromDocument({
  _id,
  own: _own,
  listing: _listing,
  titleWords: _titleWords,
  ...rest
}: FindingDocument): StoredFinding {
  return { id: _id, ...rest };
}

/** Finding of a page: the document itself, because a copy of its many fields would take longer than to read it. */
function ofPage(document: FindingDocument): StoredFinding {
  return Object.assign(document, { id: document._id });
}
