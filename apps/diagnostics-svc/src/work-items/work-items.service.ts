import type { NewWorkItem, SyncOutcome, WorkItemsQuery } from '@clew/contracts';
import { notFound, page, type Clock, type CursorCodec, type IdempotentAttempt, type PageQuery } from '@clew/kernel';
import type { IssueReading, Outcome } from '@clew/issue-trackers';
import type { Claimed, Database, Transaction } from '@clew/persistence';
import type { Connectors } from '../connectors/index.ts';
import { newActivity, type Activity } from '../findings/activity/index.ts';
import type { FindingKey, Requester } from '../findings/changes/index.ts';
import type { FindingHead, StoredFinding } from '../findings/finding.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import { requireElsewhere, unavailable, wishOf } from './handoff.ts';
import { handedOver, readFor, requireFree, requireReplaceable, withoutRepair } from './repair.ts';
import type { TrackerCalls } from './tracker-calls.ts';
import type { WorkItemDocument } from './work-item.model.ts';
import type { ToldBy } from './work-item-events.ts';
import { INLINE_MS, type WorkItemRunner } from './work-item-runner.ts';
import type { WorkItemWriter } from './work-item-writer.ts';
import {
  abandoned,
  failed,
  newWorkItem,
  replaced,
  requireCurrent,
  retried,
  workItemView,
  type StoredWorkItem,
  type WorkItemWish,
} from './work-item.ts';
import { WORK_ITEMS, WORK_ITEMS_OF_FINDING, type WorkItemStore } from './work-items.store.ts';

export interface WorkItemsDependencies {
  database: Database;
  items: WorkItemStore;
  findings: FindingStore;
  connectors: Connectors;
  writer: WorkItemWriter;
  runner: WorkItemRunner;
  calls: TrackerCalls;
  cursors: CursorCodec;
  clock: Clock;
}

export interface WorkItemKey extends FindingKey {
  workItemId: string;
}

/** Requester of a new work item, with the attempt of its `Idempotency-Key`. */
export interface Asker extends Requester {
  attempt?: Pick<IdempotentAttempt, 'progress' | 'advance'> | undefined;
}

export interface SyncResult {
  outcome: SyncOutcome;
  finding: StoredFinding;
}

export type WorkItemsService = ReturnType<typeof createWorkItemsService>;

export function createWorkItemsService(deps: WorkItemsDependencies) {
  const { items, findings, runner, cursors } = deps;

  async function require(key: WorkItemKey, tx?: Transaction): Promise<StoredWorkItem> {
    const item = await items.get(key.projectId, key.workItemId, tx);
    if (item?.findingId !== key.findingId) throw notFound('FINDING_NOT_FOUND', 'The work item does not exist');
    return item;
  }

  async function requireFinding({ projectId, findingId }: FindingKey, tx?: Transaction): Promise<StoredFinding> {
    const finding = await findings.get(projectId, findingId, tx);
    if (finding === undefined) throw notFound('FINDING_NOT_FOUND', 'The Finding does not exist');
    return finding;
  }

  /** Waits a while for the provider, once the intent is committed, and returns the work item as it then is. */
  async function seenThrough(row: Claimed<WorkItemDocument>, { requestId }: Requester): Promise<StoredWorkItem> {
    await runner.inline(row, requestId);
    return await require({ projectId: row.projectId, findingId: row.findingId, workItemId: row._id });
  }

  const changes = changesOf(deps, { require, requireFinding });
  return {
    require,

    async list(projectId: string, { limit, cursor, ...filter }: WorkItemsQuery) {
      const request = { projectId, filters: filter, limit, cursor };
      const read = await page(cursors, WORK_ITEMS, request, (slice) => items.list(projectId, filter, slice));
      return { workItems: read.items.map(workItemView), nextCursor: read.nextCursor };
    },

    async listOfFinding(key: FindingKey, { limit, cursor }: PageQuery) {
      const { projectId, findingId } = key;
      const request = { projectId, filters: { findingId }, limit, cursor };
      const read = await page(cursors, WORK_ITEMS_OF_FINDING, request, async (slice) => {
        await requireFinding(key);
        return await items.listOfFinding(projectId, findingId, slice);
      });
      return { workItems: read.items.map(workItemView), nextCursor: read.nextCursor };
    },

    async create(key: FindingKey, wanted: NewWorkItem, by: Asker): Promise<StoredWorkItem> {
      const begun = begunIn(by);
      if (begun !== undefined) return await require({ ...key, workItemId: begun });
      return await seenThrough(await changes.create(key, wanted, by), by);
    },

    async replace(key: WorkItemKey, wanted: NewWorkItem, by: Asker): Promise<StoredWorkItem> {
      const begun = begunIn(by);
      if (begun !== undefined) return await require({ ...key, workItemId: begun });
      return await seenThrough(await changes.replace(key, wanted, by), by);
    },

    async retry(key: WorkItemKey, by: Requester): Promise<StoredWorkItem> {
      await changes.retry(key, by);
      await runner.inlineById(key.workItemId, by.requestId);
      return await require(key);
    },

    abandon: changes.abandon,
    sync: (key: WorkItemKey, by: Requester) => sync(deps, { require, requireFinding }, key, by),
  };
}

interface Reads {
  require: (key: WorkItemKey, tx?: Transaction) => Promise<StoredWorkItem>;
  requireFinding: (key: FindingKey, tx?: Transaction) => Promise<StoredFinding>;
}

/** Changes that people ask for, each in one transaction with its Finding and what is told of it. */
function changesOf(deps: WorkItemsDependencies, { require, requireFinding }: Reads) {
  const { database, items, connectors, writer, runner, clock } = deps;

  /** Adds a work item to a Finding that is free for it, claimed by this process. */
  async function handOver(
    tx: Transaction,
    finding: StoredFinding,
    wish: WorkItemWish,
    by: Asker & { before?: string },
  ) {
    const nowMs = clock.now();
    const item = newWorkItem({ projectId: finding.projectId, findingId: finding.id }, wish, nowMs);
    const row = await items.add(tx, item, runner.leaseMs, nowMs);
    const after = { ...handedOver(finding, nowMs), workItem: workItemView(item) };
    const entry = { kind: 'work_item', from: by.before ?? null, to: item.id } as const;
    const activities = [newActivity(finding, entry, { ...by, nowMs }), ...statusEntries(finding, after, by, nowMs)];
    const told: ToldBy = { ...by, nowMs };
    await writer.writeFinding(tx, { before: finding, after, activities }, told);
    await writer.tell(tx, item, 'created', told);
    await by.attempt?.advance(tx, { workItemId: item.id });
    return row;
  }

  return {
    create: (key: FindingKey, wanted: NewWorkItem, by: Asker) =>
      database.withTransaction(async (tx) => {
        const finding = await requireFinding(key, tx);
        requireFree(finding);
        return await handOver(tx, finding, await wishOf(connectors, tx, key.projectId, wanted), by);
      }),

    replace: (key: WorkItemKey, wanted: NewWorkItem, by: Asker) =>
      database.withTransaction(async (tx) => {
        const before = await require(key, tx);
        const finding = await requireFinding(key, tx);
        requireReplaceable(finding, before);
        const wish = await wishOf(connectors, tx, key.projectId, wanted);
        await requireElsewhere(connectors, tx, before, wish);
        const row = await handOver(tx, finding, wish, { ...by, before: before.id });
        const after = replaced(before, row._id, clock.now());
        await items.save(tx, after);
        await items.setDue(tx, after, null);
        await writer.tell(tx, after, 'replaced', { ...by, nowMs: clock.now() });
        return row;
      }),

    retry: (key: WorkItemKey, by: Requester) =>
      database.withTransaction(async (tx) => {
        const nowMs = clock.now();
        const item = retried(await require(key, tx), nowMs);
        const finding = await requireFinding(key, tx);
        await requireConnector(deps, item, tx);
        await items.save(tx, item);
        await items.setDue(tx, item, nowMs);
        const after = { ...finding, workItem: workItemView(item) };
        const told: ToldBy = { ...by, nowMs };
        await writer.writeFinding(tx, { before: finding, after, activities: [] }, told);
        await writer.tell(tx, item, 'retried', told);
      }),

    abandon: (key: WorkItemKey, by: Requester): Promise<StoredWorkItem> =>
      database.withTransaction(async (tx) => {
        const nowMs = clock.now();
        const item = abandoned(await require(key, tx), nowMs);
        const finding = await requireFinding(key, tx);
        await items.save(tx, item);
        await items.setDue(tx, item, null);
        const after = { ...withoutRepair(finding, nowMs), workItem: null };
        const entry = { kind: 'work_item', from: item.id } as const;
        const told: ToldBy = { ...by, nowMs };
        const activities = [newActivity(finding, entry, { ...by, nowMs })];
        await writer.writeFinding(tx, { before: finding, after, activities }, told);
        await writer.tell(tx, item, 'abandoned', told);
        return item;
      }),
  };
}

/** Reads the issue and takes over its state, unless the work item lost its place meanwhile. */
async function sync(
  deps: WorkItemsDependencies,
  { require, requireFinding }: Reads,
  key: WorkItemKey,
  { requestId }: Requester,
): Promise<SyncResult> {
  const { database, calls, writer, clock } = deps;
  const item = await require(key);
  requireCurrent(item);
  await requireConnector(deps, item);
  if (item.externalId === null) return { outcome: 'not_syncable', finding: await requireFinding(key) };
  const readAtMs = clock.now();
  const read = await readIssue(calls, item, item.externalId);
  return await database.withTransaction(async (tx) => {
    const before = await require(key, tx);
    const finding = await requireFinding(key, tx);
    const nowMs = clock.now();
    const { item: after, outcome } = outcomeOf(finding, before, read, { readAtMs, nowMs });
    const move = { before, after, change: 'updated' } as const;
    return { outcome, finding: await writer.write(tx, finding, move, { requestId, nowMs }) };
  });
}

function outcomeOf(
  finding: StoredFinding,
  before: StoredWorkItem,
  read: Outcome<IssueReading>,
  { readAtMs, nowMs }: { readAtMs: number; nowMs: number },
): { item: StoredWorkItem; outcome: SyncOutcome } {
  if (!before.isPrimary) return { item: before, outcome: 'not_current' };
  if (read.kind === 'done') return readFor(finding, before, { reading: read.value, readAtMs }, nowMs);
  return { item: failed(before, read.message, nowMs), outcome: 'failed' };
}

async function readIssue(
  calls: TrackerCalls,
  item: StoredWorkItem,
  externalId: string,
): Promise<Outcome<IssueReading>> {
  const opened = await calls.open(item);
  if (opened.kind === 'closed') return { kind: 'refused', reason: 'credentials', message: opened.reason };
  if (opened.kind === 'wait') return { kind: 'unknown', message: 'The provider allows no calls at the moment' };
  const signal = AbortSignal.timeout(INLINE_MS);
  const leave = await calls.enter(opened.connector, signal);
  if (leave === undefined) return { kind: 'unknown', message: 'Too many calls to the provider are under way' };
  try {
    const { tracker, connector } = opened;
    return await calls.call(connector, (call) => tracker.read(externalId, call), { signal, deadlineMs: INLINE_MS });
  } finally {
    leave();
  }
}

async function requireConnector(
  { connectors }: Pick<WorkItemsDependencies, 'connectors'>,
  { projectId, connectorId }: StoredWorkItem,
  tx?: Transaction,
): Promise<void> {
  const connector = await connectors.read(projectId, connectorId, tx);
  if (connector?.enabled !== true) throw unavailable('The connector of the work item was removed, or is switched off');
}

/** Work item that an earlier attempt with the same `Idempotency-Key` made. */
function begunIn({ attempt }: Asker): string | undefined {
  const progress = attempt?.progress as { workItemId?: unknown } | undefined;
  return typeof progress?.workItemId === 'string' ? progress.workItemId : undefined;
}

function statusEntries(before: FindingHead, after: FindingHead, { actor }: Requester, nowMs: number): Activity[] {
  const entries = [
    { kind: 'review', from: before.reviewStatus, to: after.reviewStatus },
    { kind: 'resolution', from: before.resolutionStatus, to: after.resolutionStatus },
  ] as const;
  return entries.filter(({ from, to }) => from !== to).map((entry) => newActivity(after, entry, { actor, nowMs }));
}
