import { systemClock, type Clock } from '@clew/kernel';
import { loopbackOutbound, type LoopbackTracker } from '@clew/testing/issue-trackers';
import { issueDraft } from '../body/issue-body.ts';
import { openTracker } from '../open-tracker.ts';
import { TrackerConnection } from '../tracker/connection.ts';
import type { IssueTracker, TrackerCall } from '../tracker/issue-tracker.ts';
import type { Done, Outcome } from '../tracker/outcome.ts';
import { findingFacts } from './finding-facts.ts';

const outbound = loopbackOutbound();

export function trackerAt(
  { provider, baseUrl, credentials, destination }: LoopbackTracker,
  { clock = systemClock, ...other }: { clock?: Clock; destination?: object | undefined; credentials?: object } = {},
): IssueTracker {
  const given = { provider, baseUrl, credentials, destination, ...other };
  return openTracker(TrackerConnection.parse(given), { fetch: outbound.fetch, clock });
}

export function call({
  signal = new AbortController().signal,
  deadlineMs = 5_000,
}: Partial<TrackerCall> = {}): TrackerCall {
  return { signal, deadlineMs };
}

export const DRAFT = issueDraft(findingFacts());
export const MARKER = 'wi_01JZ6PVG2RN4RBGAHEQ5XQ2SC4';

/** Returns the value of an outcome that must be done. */
export function valueOf<Value>(outcome: Outcome<Value>): Done<Value>['value'] {
  if (outcome.kind !== 'done') throw new Error(`${outcome.kind}: ${outcome.message}`);
  return outcome.value;
}
