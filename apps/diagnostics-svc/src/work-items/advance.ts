import type { IssueReading, Later, Outcome, TrackerCall } from '@clew/issue-trackers';
import type { StoredFinding } from '../findings/finding.ts';
import { issueOf } from './issue-of-finding.ts';
import type { PaceStore } from './pace.store.ts';
import { readFor } from './repair.ts';
import type { Opened, TrackerCalls } from './tracker-calls.ts';
import { GIVE_UP_MS, LOOKUP_BOUND_MS, SETTLE_MS, waitAfter, waitToLook, waitToLookLate } from './waits.ts';
import { failed, linked, lost, notSent, sending, waiting, type StoredWorkItem } from './work-item.ts';

/** Ending of a call: how the work item changes, as it then is, and when it is due next. */
export interface Ending {
  apply: (item: StoredWorkItem, finding: StoredFinding) => StoredWorkItem;
  dueAt: number | null;
}

export interface AdvanceDependencies {
  calls: TrackerCalls;
  paces: PaceStore;
  now: () => number;
  publicUrl: string;
  /** Notes that a creation is about to be sent; false if it must not be. */
  noteSending: (item: StoredWorkItem) => Promise<boolean>;
}

type Open = Extract<Opened, { kind: 'open' }>;

/** Failures of a read after which a work item waits for the next occasion. */
const MAX_READ_FAILURES = 8;

/**
 * Takes a work item a step further at its provider: its issue is created, looked for, or read. Undefined if there is
 * nothing to be done.
 */
export async function advance(
  deps: AdvanceDependencies,
  item: StoredWorkItem,
  finding: StoredFinding,
  call: TrackerCall,
): Promise<Ending | undefined> {
  if (!item.isPrimary) return undefined;
  const opened = await deps.calls.open(item);
  const nowMs = deps.now();
  if (opened.kind === 'closed') return refusal(opened.reason, nowMs);
  if (opened.kind === 'wait') return { apply: (current) => current, dueAt: nowMs + opened.waitMs };
  const leave = await deps.calls.enter(opened.connector, call.signal);
  if (leave === undefined) return later(item, NO_PLACE, nowMs);
  try {
    if (item.externalId !== null) return await readAgain(deps, opened, item, item.externalId, call);
    if (item.existing !== null) return await takeOver(deps, opened, item, item.existing, call);
    return await provision(deps, opened, item, finding, call);
  } finally {
    leave();
  }
}

const NO_PLACE: Later = {
  ...{ kind: 'later', reason: 'unavailable', message: 'Too many calls to the provider are under way' },
  ...{ retryAfterMs: null, isMinimum: true },
};

/** Looks for the issue if it may exist, and creates it once it is known that it does not. */
async function provision(
  deps: AdvanceDependencies,
  opened: Open,
  item: StoredWorkItem,
  finding: StoredFinding,
  call: TrackerCall,
): Promise<Ending | undefined> {
  const found = item.sentSince === null ? undefined : await lookUp(deps, opened, item, item.sentSince, call);
  return found ?? (await create(deps, opened, item.sentSince === null ? item : notSent(item), finding, call));
}

/** Undefined if it is proven that no issue was created. */
async function lookUp(
  deps: AdvanceDependencies,
  { tracker, connector }: Open,
  item: StoredWorkItem,
  sentSince: number,
  call: TrackerCall,
): Promise<Ending | undefined> {
  const begunAtMs = deps.now();
  const outcome = await deps.calls.call(connector, (by) => tracker.findByMarker(item.id, sentSince, by), call);
  const nowMs = deps.now();
  if (outcome.kind !== 'done') return notDone(item, outcome, nowMs);
  const [first] = outcome.value.found;
  if (first !== undefined) return seen(first, begunAtMs, nowMs);
  const ageMs = begunAtMs - (item.lastSentAt ?? sentSince);
  if (outcome.value.isProof) {
    if (ageMs >= SETTLE_MS) return undefined;
    const soonMs = Math.min(SETTLE_MS - ageMs, waitToLook(item.failures + 1));
    return { apply: (current) => waiting(current, UNKNOWN), dueAt: nowMs + Math.max(1, soonMs) };
  }
  if (ageMs < LOOKUP_BOUND_MS) {
    return { apply: (current) => waiting(current, UNKNOWN), dueAt: nowMs + waitToLook(item.failures + 1) };
  }
  const isOver = nowMs - (item.lastSentAt ?? sentSince) > GIVE_UP_MS;
  return {
    apply: (current) => failed({ ...current, failures: current.failures + 1 }, UNPROVEN, nowMs),
    dueAt: isOver ? null : nowMs + waitToLookLate(item.failures + 1),
  };
}

const UNKNOWN = 'It is not known yet whether the issue was created';
const UNPROVEN =
  'It is not known whether the issue was created: the search of the provider does not show it, which proves nothing. It is not created again. It is still looked for; if it does not exist, abandon this work item and make another one';

async function create(
  deps: AdvanceDependencies,
  { tracker, connector }: Open,
  item: StoredWorkItem,
  finding: StoredFinding,
  call: TrackerCall,
): Promise<Ending | undefined> {
  const waitMs = await deps.paces.create(connector, deps.now());
  // The proof that nothing was created is kept: the next step need not look again.
  if (waitMs > 0) return { apply: notSent, dueAt: deps.now() + waitMs };
  const draft = issueOf(finding, deps.publicUrl, deps.now());
  const sent = sending(item, deps.now());
  if (!(await deps.noteSending(sent))) return undefined;
  const outcome = await deps.calls.call(connector, (by) => tracker.create(draft, item.id, by), call);
  const nowMs = deps.now();
  switch (outcome.kind) {
    case 'done':
      return { apply: (current) => linked(current, outcome.value, nowMs), dueAt: null };
    case 'unknown':
      return { apply: (current) => waiting(current, outcome.message), dueAt: nowMs + waitToLook(1) };
    case 'refused':
      return { apply: (current) => failed(notSent(current), outcome.message, nowMs), dueAt: null };
    case 'later': {
      const ending = later(item, outcome, nowMs);
      return { ...ending, apply: (current, of) => ending.apply(notSent(current), of) };
    }
  }
}

/** Takes over an issue that exists already. */
async function takeOver(
  deps: AdvanceDependencies,
  { tracker, connector }: Open,
  item: StoredWorkItem,
  existing: string,
  call: TrackerCall,
): Promise<Ending> {
  const begunAtMs = deps.now();
  const outcome = await deps.calls.call(connector, (by) => tracker.read(existing, by), call);
  const nowMs = deps.now();
  if (outcome.kind !== 'done') return notDone(item, outcome, nowMs);
  if (outcome.value.kind === 'gone')
    return refusal('The issue does not exist, or these credentials do not see it', nowMs);
  return seen(outcome.value, begunAtMs, nowMs);
}

async function readAgain(
  deps: AdvanceDependencies,
  { tracker, connector }: Open,
  item: StoredWorkItem,
  externalId: string,
  call: TrackerCall,
): Promise<Ending> {
  const begunAtMs = deps.now();
  const outcome = await deps.calls.call(connector, (by) => tracker.read(externalId, by), call);
  const nowMs = deps.now();
  if (outcome.kind === 'done') return seen(outcome.value, begunAtMs, nowMs);
  if (outcome.kind === 'refused' || item.failures >= MAX_READ_FAILURES) return refusal(outcome.message, nowMs);
  return notDone(item, outcome, nowMs);
}

function seen(reading: IssueReading, readAtMs: number, nowMs: number): Ending {
  return {
    dueAt: null,
    apply: (item, finding) =>
      item.externalId === null && reading.kind === 'gone'
        ? lost(item, reading.externalId, nowMs)
        : readFor(finding, item, { reading, readAtMs }, nowMs).item,
  };
}

function refusal(reason: string, nowMs: number): Ending {
  return { apply: (item) => failed(item, reason, nowMs), dueAt: null };
}

/** Ending of a call that changes nothing at the provider. */
function notDone(item: StoredWorkItem, outcome: Exclude<Outcome<unknown>, { kind: 'done' }>, nowMs: number): Ending {
  if (outcome.kind === 'refused') return refusal(outcome.message, nowMs);
  const wait = outcome.kind === 'later' ? outcome : { ...NO_PLACE, message: outcome.message };
  return later(item, wait, nowMs);
}

function later(item: StoredWorkItem, outcome: Later, nowMs: number): Ending {
  const waitMs = waitAfter(outcome, item.failures + 1);
  if (nowMs + waitMs - item.askedAt > GIVE_UP_MS && item.externalId === null) return refusal(outcome.message, nowMs);
  return { apply: (current) => waiting(current, outcome.message), dueAt: nowMs + waitMs };
}
