import type {
  SyncOutcome,
  TrackerProvider,
  WorkItem,
  WorkItemDestination,
  WorkItemDoneReason,
  WorkItemStatus,
} from '@clew/contracts';
import { AppError, newId } from '@clew/kernel';
import type { ExternalIssue, IssueLink, IssueReading, PresentState } from '@clew/issue-trackers';

/** Work item in its stored form. Times are Unix epoch milliseconds. */
export interface StoredWorkItem extends Omit<WorkItem, 'attempts'> {
  projectId: string;
  /** Creations tried since it was last asked for; `attempts` belongs to the schedule. */
  tries: number;
  /** Calls without success since the last one that had any; the next one waits longer. */
  failures: number;
  /** Time since which work is asked for; after a day without success it is given up. */
  askedAt: number;
  /** Issue that exists already, as people named it; null if one is to be created. */
  existing: string | null;
  /** First and last time at which a creation was sent whose outcome is not known; null if there is none. */
  sentSince: number | null;
  lastSentAt: number | null;
  /** Time of the last change of the issue that was seen, by the provider's clock. */
  seenChangeAt: number | null;
  /** Grows with every change that is told. */
  sequence: number;
}

export interface WorkItemWish {
  provider: TrackerProvider;
  connectorId: string;
  destination: WorkItemDestination | null;
  existing: string | null;
}

/** Longest reason that is kept of what a provider said. */
const MAX_REASON_LENGTH = 500;

export function newWorkItem(
  { projectId, findingId }: Pick<StoredWorkItem, 'projectId' | 'findingId'>,
  wish: WorkItemWish,
  nowMs: number,
): StoredWorkItem {
  return {
    ...{ id: newId('wi'), projectId, findingId, ...wish },
    ...{ status: 'provisioning', doneReason: null, syncState: 'pending', syncError: null },
    ...{ externalId: null, externalKey: null, externalUrl: null },
    ...{ tries: 0, failures: 0, askedAt: nowMs, sentSince: null, lastSentAt: null, seenChangeAt: null },
    ...{ isPrimary: true, ended: null, replacedBy: null, sequence: 1 },
    ...{ createdAt: nowMs, updatedAt: nowMs, lastSyncedAt: null },
  };
}

/** Work item as callers see it. */
export function workItemView(item: StoredWorkItem): WorkItem {
  const { id, findingId, provider, connectorId, destination, status, doneReason } = item;
  const { externalId, externalKey, externalUrl, syncState, syncError, tries: attempts } = item;
  const { isPrimary, ended, replacedBy, createdAt, updatedAt, lastSyncedAt } = item;
  return {
    ...{ id, findingId, provider, connectorId, destination, status, doneReason },
    ...{ externalId, externalKey, externalUrl, syncState, syncError, attempts },
    ...{ isPrimary, ended, replacedBy, createdAt, updatedAt, lastSyncedAt },
  };
}

export function requireCurrent({ isPrimary }: Pick<StoredWorkItem, 'isPrimary'>): void {
  if (!isPrimary) throw new AppError('WORK_ITEM_NOT_CURRENT', 'The work item was replaced or abandoned');
}

/** Work item whose issue is about to be created. Written before the call, so that no creation is forgotten. */
export function sending(item: StoredWorkItem, nowMs: number): StoredWorkItem {
  return { ...item, tries: item.tries + 1, sentSince: item.sentSince ?? nowMs, lastSentAt: nowMs };
}

/** Work item after a search that proved that nothing was created, or a call that had no effect. */
export function notSent(item: StoredWorkItem): StoredWorkItem {
  return { ...item, sentSince: null, lastSentAt: null };
}

/** Work item with the issue that was created for it. */
export function linked(item: StoredWorkItem, link: IssueLink, nowMs: number): StoredWorkItem {
  const { externalId, key: externalKey, url: externalUrl } = link;
  return told({
    ...notSent(item),
    ...{ externalId, externalKey, externalUrl, failures: 0 },
    ...{ status: 'planned', syncState: 'synced', syncError: null },
    ...{ lastSyncedAt: nowMs, updatedAt: nowMs },
  });
}

/** Work item whose issue was created, and is gone since; no other one is created. */
export function lost(item: StoredWorkItem, externalId: string, nowMs: number): StoredWorkItem {
  return failed({ ...notSent(item), externalId, status: 'planned' }, GONE.deleted, nowMs);
}

/** Work item after the provider refused: somebody must change something before a retry. */
export function failed(item: StoredWorkItem, reason: string, nowMs: number): StoredWorkItem {
  const syncError = shortened(reason);
  const next: StoredWorkItem = { ...item, syncState: 'error', syncError };
  return item.syncState === 'error' && item.syncError === syncError ? next : told({ ...next, updatedAt: nowMs });
}

/** Work item whose creation is to be tried, or looked for, later. It stays `pending`, with the reason. */
export function waiting(item: StoredWorkItem, reason: string): StoredWorkItem {
  return { ...item, failures: item.failures + 1, syncError: shortened(reason) };
}

/** Work item after a person asked for another try. */
export function retried(item: StoredWorkItem, nowMs: number): StoredWorkItem {
  requireCurrent(item);
  const { status, externalId, syncState } = item;
  if (status !== 'provisioning' || externalId !== null || syncState !== 'error') {
    throw new AppError('WORK_ITEM_NOT_RETRYABLE', 'Only a work item whose provisioning failed can be tried again');
  }
  const fresh = { tries: 0, failures: 0, askedAt: nowMs, updatedAt: nowMs };
  return told({ ...item, ...fresh, syncState: 'pending', syncError: null });
}

export function abandoned(item: StoredWorkItem, nowMs: number): StoredWorkItem {
  requireCurrent(item);
  return told({ ...item, isPrimary: false, ended: 'abandoned', updatedAt: nowMs });
}

export function replaced(item: StoredWorkItem, replacedBy: string, nowMs: number): StoredWorkItem {
  requireCurrent(item);
  return told({ ...item, isPrimary: false, ended: 'replaced', replacedBy, updatedAt: nowMs });
}

export interface Synced {
  item: StoredWorkItem;
  outcome: SyncOutcome;
}

/** Reading of an issue, and when it began; a reading that began before the last applied one may be older. */
export interface TimedReading {
  reading: IssueReading;
  readAtMs: number;
}

/** Work item after its issue was read. */
export function synced(item: StoredWorkItem, { reading, readAtMs }: TimedReading, nowMs: number): Synced {
  if (!item.isPrimary) return { item, outcome: 'not_current' };
  if (reading.kind === 'gone') {
    return { item: failed(item, GONE[reading.reason], nowMs), outcome: 'not_syncable' };
  }
  if (isOlder(item, reading.issue, readAtMs)) return { item, outcome: 'unchanged' };
  const next = showing(item, reading.issue, readAtMs);
  const isSame = CHANGES.every((field) => next[field] === item[field]);
  return isSame
    ? { item: next, outcome: 'unchanged' }
    : { item: told({ ...next, updatedAt: nowMs }), outcome: 'updated' };
}

const GONE = {
  deleted: 'The issue was deleted at the provider',
  moved: 'The issue was moved to where these credentials do not see it',
} as const;

/** Fields whose change makes a sync an update. */
const CHANGES = [
  ...(['status', 'doneReason', 'externalId', 'externalKey', 'externalUrl', 'syncState', 'syncError'] as const),
];

function showing(item: StoredWorkItem, issue: ExternalIssue, readAtMs: number): StoredWorkItem {
  const { externalId, key: externalKey, url: externalUrl, updatedAtMs } = issue;
  return {
    ...notSent(item),
    ...{ externalId, externalKey, externalUrl, failures: 0, seenChangeAt: updatedAtMs },
    ...progressOf(issue.state),
    ...{ syncState: 'synced', syncError: null, lastSyncedAt: Math.max(readAtMs, item.lastSyncedAt ?? 0) },
  };
}

function progressOf(state: PresentState): { status: WorkItemStatus; doneReason: WorkItemDoneReason | null } {
  if (state.kind === 'done') return { status: 'done', doneReason: state.reason };
  return { status: state.kind === 'in_progress' ? 'in_progress' : 'planned', doneReason: null };
}

/** Providers' times have seconds: of two readings of one of them, the one that began later holds. */
function isOlder({ seenChangeAt, lastSyncedAt }: StoredWorkItem, issue: ExternalIssue, readAtMs: number): boolean {
  if (seenChangeAt === null) return false;
  if (issue.updatedAtMs !== seenChangeAt) return issue.updatedAtMs < seenChangeAt;
  return lastSyncedAt !== null && readAtMs < lastSyncedAt;
}

function told(item: StoredWorkItem): StoredWorkItem {
  return { ...item, sequence: item.sequence + 1 };
}

function shortened(reason: string): string {
  return reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH - 1).toWellFormed()}…` : reason;
}
