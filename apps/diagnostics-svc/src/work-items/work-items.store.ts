import { randomUUID } from 'node:crypto';
import { SYNC_STATES, TRACKER_PROVIDERS, WORK_ITEM_STATUSES, type WorkItemsQuery } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import {
  NEWEST_FIRST,
  readSlice,
  type Claimed,
  type Database,
  type KeysetList,
  type Transaction,
} from '@clew/persistence';
import { OF_FINDING, OF_PROJECT, workItemCollection, type WorkItemDocument } from './work-item.model.ts';
import type { StoredWorkItem } from './work-item.ts';

export type WorkItemFilter = Omit<WorkItemsQuery, 'limit' | 'cursor'>;

export interface IssueKey {
  projectId: string;
  connectorId: string;
  externalId: string;
}

export interface WorkItemStore {
  get(projectId: string, workItemId: string, tx?: Transaction): Promise<StoredWorkItem | undefined>;
  /** Current work items that this issue belongs to. */
  ofIssue(issue: IssueKey, tx?: Transaction): Promise<StoredWorkItem[]>;
  /** Current work items that these issues belong to. */
  ofIssues(issues: Omit<IssueKey, 'externalId'> & { externalIds: readonly string[] }): Promise<StoredWorkItem[]>;
  listOfFinding(projectId: string, findingId: string, slice: SliceRequest): Promise<Slice<StoredWorkItem>>;
  list(projectId: string, filter: WorkItemFilter, slice: SliceRequest): Promise<Slice<StoredWorkItem>>;
  /** Adds a work item that is due, and that this process has claimed already. */
  add(tx: Transaction, item: StoredWorkItem, leaseMs: number, nowMs: number): Promise<Claimed<WorkItemDocument>>;
  /** Writes everything but the schedule. */
  save(tx: Transaction, item: StoredWorkItem): Promise<void>;
  /** Notes that a creation is about to be sent; false if the claim is lost, or the work item no longer current. */
  noteSending(item: StoredWorkItem, claim: string): Promise<boolean>;
  /** Makes it due at that time, whatever it was due for; null: not at all. */
  setDue(tx: Transaction, item: StoredWorkItem, dueAt: number | null): Promise<void>;
  /** Makes the work items of an issue due now. */
  touch(tx: Transaction, issue: IssueKey, nowMs: number): Promise<void>;
  remove(tx: Transaction, projectId: string, workItemId: string): Promise<void>;
}

export const WORK_ITEMS_OF_FINDING: KeysetList = {
  name: 'work items of a finding',
  order: NEWEST_FIRST,
  invalidCursor: 'INVALID_FILTER',
};
export const WORK_ITEMS: KeysetList = { name: 'work items', order: NEWEST_FIRST, invalidCursor: 'INVALID_FILTER' };

export function createWorkItemStore({ connection }: Database): WorkItemStore {
  const items = workItemCollection(connection);
  return {
    async get(projectId, workItemId, tx) {
      const document = await items.findOne({ _id: workItemId, projectId }, sessionOf(tx));
      return document === null ? undefined : itemOf(document);
    },
    async ofIssue(issue, tx) {
      const found = await items.find({ ...keyOf(issue), isPrimary: true }, sessionOf(tx)).toArray();
      return found.map(itemOf);
    },
    async ofIssues({ projectId, connectorId, externalIds }) {
      if (externalIds.length === 0) return [];
      const filter = { projectId, connectorId, externalId: { $in: [...externalIds] }, isPrimary: true };
      return (await items.find(filter).toArray()).map(itemOf);
    },
    listOfFinding: (projectId, findingId, slice) =>
      readSlice(items, NEWEST_FIRST, { filter: { projectId, findingId }, hint: OF_FINDING, ...slice }, itemOf),
    list: (projectId, filter, slice) =>
      readSlice(
        items,
        NEWEST_FIRST,
        { filter: { projectId, ...conditionsOf(filter) }, hint: OF_PROJECT, ...slice },
        itemOf,
      ),
    async add(tx, item, leaseMs, nowMs) {
      const claim = { claim: randomUUID(), leaseUntil: nowMs + leaseMs, attempts: 1, dueAt: nowMs };
      const row = { ...documentOf(item), ...claim };
      await items.insertOne(row, { session: tx });
      return row;
    },
    async save(tx, item) {
      const { _id, projectId, ...fields } = documentOf(item);
      await items.updateOne({ _id, projectId }, { $set: fields }, { session: tx });
    },
    async noteSending({ id: _id, projectId, tries, sentSince, lastSentAt }, claim) {
      const current = { _id, projectId, claim, isPrimary: true };
      const { matchedCount } = await items.updateOne(current, { $set: { tries, sentSince, lastSentAt } });
      return matchedCount > 0;
    },
    async setDue(tx, { id: _id, projectId }, dueAt) {
      const set = dueAt === null ? null : { $min: [dueAt, SOONER] };
      await items.updateOne({ _id, projectId }, [{ $set: { dueAt: set } }], { session: tx });
    },
    async touch(tx, issue, nowMs) {
      const due = { dueAt: { $min: [nowMs, SOONER] } };
      await items.updateMany({ ...keyOf(issue), isPrimary: true }, [{ $set: due }], { session: tx });
    },
    async remove(tx, projectId, workItemId) {
      await items.deleteOne({ _id: workItemId, projectId }, { session: tx });
    },
  };
}

/** Due time that differs from the present one, because a claim must see that it has changed. */
const SOONER = { $subtract: [{ $ifNull: ['$dueAt', Number.MAX_SAFE_INTEGER] }, 1] };

function sessionOf(tx: Transaction | undefined) {
  return tx === undefined ? {} : { session: tx };
}

function keyOf({ projectId, connectorId, externalId }: IssueKey): IssueKey {
  return { projectId, connectorId, externalId };
}

/** Conditions with every field before those of the order, so that the index alone finds and orders the page. */
function conditionsOf({ status, provider, syncState }: WorkItemFilter) {
  return {
    status: status ?? { $in: [...WORK_ITEM_STATUSES] },
    provider: provider ?? { $in: [...TRACKER_PROVIDERS] },
    syncState: syncState ?? { $in: [...SYNC_STATES] },
  };
}

function documentOf({ id: _id, ...fields }: StoredWorkItem): WorkItemDocument {
  return { _id, ...fields };
}

/** Work item without its schedule. */
export function itemOf(document: WorkItemDocument): StoredWorkItem {
  const { _id, dueAt: _due, leaseUntil: _lease, claim: _claim, attempts: _attempts, ...rest } = document;
  const { givenUpAt: _at, givenUpReason: _reason, ...fields } = rest;
  return { id: _id, ...fields };
}
