import type { IssueReading, Outcome, TrackerCall } from '@clew/issue-trackers';
import { backoffMs } from '@clew/kernel';
import type { Connectors } from '../connectors/index.ts';
import { waitAfter, type IssueReadingOf, type TrackerCalls, type WorkItemStore } from '../work-items/index.ts';
import type { WalkDocument } from './walk.model.ts';
import type { WalkStore } from './walks.store.ts';

export interface WalkerDependencies {
  connectors: Pick<Connectors, 'read'>;
  calls: TrackerCalls;
  items: Pick<WorkItemStore, 'get' | 'ofIssues'>;
  walks: WalkStore;
  applyReading: (reading: IssueReadingOf) => Promise<number>;
  now: () => number;
  /** Time between two walks. */
  intervalMs: number;
}

/** Outcome of a step of a walk: what is written of it, and when it is due next. */
export type WalkStep = { kind: 'next'; dueAt: number; set: Partial<WalkDocument> } | { kind: 'gone' };

/** Time after which an issue is read by itself that no list has shown: it may have been deleted, or have moved. */
const UNSEEN_MS = 3 * 24 * 3_600_000;
/** Same time for issues that no list shows at all. */
const UNLISTED_MS = 2 * 3_600_000;
/** Issues that are read by themselves after a walk, so that they never cost more than the list does. */
const MAX_READS = 20;
const JITTER = 0.2;
/** Longest pause of a walk that is refused: somebody must change something. */
const MAX_REFUSED_MS = 6 * 3_600_000;

type Open = Extract<Awaited<ReturnType<TrackerCalls['open']>>, { kind: 'open' }>;
type Failure = Exclude<Outcome<unknown>, { kind: 'done' }>;

/** Takes a walk a page further, and ends it with the issues that no page shows. */
export async function walkOn(deps: WalkerDependencies, walk: WalkDocument, call: TrackerCall): Promise<WalkStep> {
  const { projectId, connectorId, place } = walk;
  const connector = await deps.connectors.read(projectId, connectorId);
  if (connector === undefined) return { kind: 'gone' };
  if (!connector.enabled) return rest(deps, { cursor: null, failures: 0, problem: null });
  const opened = await deps.calls.open({ projectId, connectorId, destination: place });
  if (opened.kind === 'closed') return refused(deps, walk, opened.reason);
  if (opened.kind === 'wait') return { kind: 'next', dueAt: deps.now() + opened.waitMs, set: {} };
  const leave = await deps.calls.enter(opened.connector, call.signal);
  if (leave === undefined) return failed(deps, walk, NO_PLACE);
  try {
    return await takePage(deps, walk, opened, call);
  } finally {
    leave();
  }
}

const NO_PLACE: Failure = {
  ...{ kind: 'later', reason: 'unavailable', message: 'Too many calls to the provider are under way' },
  ...{ retryAfterMs: null, isMinimum: true },
};

async function takePage(
  deps: WalkerDependencies,
  walk: WalkDocument,
  open: Open,
  call: TrackerCall,
): Promise<WalkStep> {
  const { sinceMs, cursor, place } = walk;
  if (place === null) return await readUnseen(deps, walk, open, call, { unseenMs: UNLISTED_MS, set: {} });
  const readAtMs = deps.now();
  const listed = await deps.calls.call(open.connector, (by) => open.tracker.listChanged({ sinceMs, cursor }, by), call);
  if (listed.kind !== 'done') return await notListed(deps, walk, open, call, listed);
  await apply(deps, walk, listed.value.issues, readAtMs);
  if (listed.value.cursor !== null) {
    return { kind: 'next', dueAt: deps.now(), set: { cursor: listed.value.cursor, problem: null } };
  }
  const set = { sinceMs: listed.value.sinceMs, cursor: null };
  return await readUnseen(deps, walk, open, call, { unseenMs: UNSEEN_MS, set });
}

/** A place that is gone lists nothing: its issues may still be read, and say where they have moved. */
async function notListed(
  deps: WalkerDependencies,
  walk: WalkDocument,
  open: Open,
  call: TrackerCall,
  failure: Failure,
): Promise<WalkStep> {
  const step = failed(deps, walk, failure);
  if (failure.kind !== 'refused' || failure.reason !== 'destination' || step.kind === 'gone') return step;
  const read = await readUnseen(deps, walk, open, call, { unseenMs: UNLISTED_MS, set: step.set });
  return read.kind === 'gone' ? read : { ...read, set: { ...read.set, ...step.set } };
}

/** Applies readings to the work items that they belong to; most issues of a tracker belong to none. */
async function apply(
  deps: WalkerDependencies,
  { projectId, connectorId }: WalkDocument,
  readings: readonly IssueReading[],
  readAtMs: number,
): Promise<void> {
  const byIssue = new Map(readings.map((reading) => [externalIdOf(reading), reading]));
  const known = await deps.items.ofIssues({ projectId, connectorId, externalIds: [...byIssue.keys()] });
  for (const externalId of new Set(known.map((item) => item.externalId))) {
    const reading = externalId === null ? undefined : byIssue.get(externalId);
    if (externalId !== null && reading !== undefined) {
      await deps.applyReading({ projectId, connectorId, externalId, reading, readAtMs });
    }
  }
  await deps.walks.seen(
    projectId,
    known.map(({ id }) => id),
    readAtMs,
  );
}

function externalIdOf(reading: IssueReading): string {
  return reading.kind === 'gone' ? reading.externalId : reading.issue.externalId;
}

/** Reads some of the issues that were not seen for long, and ends the walk. */
async function readUnseen(
  deps: WalkerDependencies,
  walk: WalkDocument,
  { tracker, connector }: Open,
  call: TrackerCall,
  { unseenMs, set }: { unseenMs: number; set: Partial<WalkDocument> },
): Promise<WalkStep> {
  const { projectId, connectorId } = walk;
  const unseen = await deps.walks.unseen(walk, deps.now() - unseenMs, MAX_READS);
  for (const { _id: workItemId } of unseen) {
    const item = await deps.items.get(projectId, workItemId);
    if (item === undefined || !item.isPrimary || item.externalId === null || item.connectorId !== connectorId) {
      await deps.walks.unfollow(projectId, [workItemId]);
      continue;
    }
    const { externalId } = item;
    const readAtMs = deps.now();
    const outcome = await deps.calls.call(connector, (by) => tracker.read(externalId, by), call);
    if (outcome.kind === 'later' || outcome.kind === 'unknown') {
      const step = failed(deps, walk, outcome);
      return step.kind === 'gone' ? step : { ...step, set: { ...set, ...step.set } };
    }
    if (outcome.kind === 'done') {
      await deps.applyReading({ projectId, connectorId, externalId, reading: outcome.value, readAtMs });
    }
    await deps.walks.seen(projectId, [workItemId], deps.now());
  }
  return rest(deps, { ...set, failures: 0, problem: null, walkedAt: deps.now() });
}

/** Pause until the next walk, longer or shorter by chance, so that walks do not come together. */
function rest({ now, intervalMs }: WalkerDependencies, set: Partial<WalkDocument>): WalkStep {
  const pauseMs = backoffMs(1, { firstMs: intervalMs, maxMs: 2 * intervalMs, jitter: JITTER });
  return { kind: 'next', dueAt: now() + Math.ceil(pauseMs), set };
}

/** A walk that failed begins again: the cursor belongs to a list that was not read to its end. */
function failed(deps: WalkerDependencies, walk: WalkDocument, failure: Failure): WalkStep {
  if (failure.kind === 'refused') return refused(deps, walk, failure.message);
  const wait = failure.kind === 'later' ? failure : { retryAfterMs: null, isMinimum: true };
  const failures = walk.failures + 1;
  const dueAt = deps.now() + Math.ceil(waitAfter(wait, failures));
  return { kind: 'next', dueAt, set: { cursor: null, failures, problem: failure.message } };
}

function refused({ now, intervalMs }: WalkerDependencies, walk: WalkDocument, problem: string): WalkStep {
  const failures = walk.failures + 1;
  const maxMs = Math.max(intervalMs, MAX_REFUSED_MS);
  const pauseMs = backoffMs(failures, { firstMs: intervalMs, maxMs, jitter: JITTER });
  return { kind: 'next', dueAt: now() + Math.ceil(pauseMs), set: { cursor: null, failures, problem } };
}
