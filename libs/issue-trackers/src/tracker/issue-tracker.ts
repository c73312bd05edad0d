import type { Severity } from '@clew/contracts';
import type { RichText } from '../text/rich-text.ts';
import type { Provider } from './connection.ts';
import type { Outcome } from './outcome.ts';

/** Why work on an issue ended. */
export type DoneReason = 'completed' | 'not_planned' | 'cancelled' | 'duplicate';

/** State of an issue in the terms of a work item. */
export type PresentState = { kind: 'open' } | { kind: 'in_progress' } | { kind: 'done'; reason: DoneReason };

export interface IssueLink {
  /** Id for calls to this tracker, which contains everything that is needed to find the issue. */
  externalId: string;
  /** Short name for people: `acme/shop#12`, `SHOP-12`. */
  key: string;
  url: string;
}

export interface ExternalIssue extends IssueLink {
  title: string;
  state: PresentState;
  updatedAtMs: number;
}

/** An issue as it was read. `externalId` differs from the one that was asked for if the issue moved. */
export type IssueReading =
  { kind: 'present'; issue: ExternalIssue } | { kind: 'gone'; externalId: string; reason: 'deleted' | 'moved' };

export interface IssueDraft {
  title: string;
  body: RichText;
  severity: Severity;
}

/** State to put an issue into. A provider without `not_planned` closes the issue. */
export type TargetState = 'open' | 'in_progress' | 'completed' | 'not_planned';

export interface TrackerTest {
  /** Name of the account that the credentials belong to; null for a token without an account. */
  account: string | null;
  /** Destination as the provider names it; null if the connection has none. */
  destination: { name: string; url: string } | null;
}

export interface MarkerSearch {
  /** Issues with the marker, the earliest first. More than one means that somebody copied it. */
  found: IssueReading[];
  /**
   * True if all issues were looked through that exist at the provider. False where they come from an index that lags,
   * or there were too many: an empty result then proves nothing.
   */
  isProof: boolean;
}

export interface ChangedIssues {
  issues: IssueReading[];
  /** Cursor of the next page; null on the last one. */
  cursor: string | null;
  /** Time for the next walk, once this one has reached its last page. */
  sinceMs: number;
}

export interface TrackerCall {
  /** Aborts the call: its outcome is then `later`, or `unknown` if it was being sent and has an effect. */
  signal: AbortSignal;
  /** Time limit of the call with all its requests. */
  deadlineMs: number;
}

/**
 * Issue tracker with the credentials and the destination of one connection. No call repeats a request on its own
 * account: the caller owns pauses and attempts.
 */
export interface IssueTracker {
  readonly provider: Provider;
  /** Finds out whose credentials these are, and whether they can create issues in the destination. */
  test(call: TrackerCall): Promise<Outcome<TrackerTest>>;
  /**
   * Creates an issue with the marker. If the outcome is unknown, `findByMarker` tells whether the issue exists; it must
   * not be created again before.
   */
  create(draft: IssueDraft, marker: string, call: TrackerCall): Promise<Outcome<IssueLink>>;
  read(externalId: string, call: TrackerCall): Promise<Outcome<IssueReading>>;
  /** Replaces title and body. The same update can be repeated. */
  update(externalId: string, draft: IssueDraft, marker: string, call: TrackerCall): Promise<Outcome<null>>;
  /** Puts an issue into a state, unless it is in it already, so that the call can be repeated. */
  setState(externalId: string, target: TargetState, call: TrackerCall): Promise<Outcome<{ changed: boolean }>>;
  /**
   * Adds a comment. With `mayExist`, after an unknown outcome, the comment is looked for first, by its marker.
   */
  comment(externalId: string, comment: NewComment, call: TrackerCall): Promise<Outcome<{ created: boolean }>>;
  /** Finds issues of the destination that have the marker and were created since that time. */
  findByMarker(marker: string, sinceMs: number, call: TrackerCall): Promise<Outcome<MarkerSearch>>;
  /**
   * Lists issues of the destination that changed since that time, a page at a time; some that did not change may be
   * among them, and each at least once. Deleted issues are listed only by Linear. After an outcome other than `done`,
   * the walk begins again, without its cursor.
   */
  listChanged(from: ChangesFrom, call: TrackerCall): Promise<Outcome<ChangedIssues>>;
}

export interface NewComment {
  body: RichText;
  marker: string;
  mayExist: boolean;
}

export interface ChangesFrom {
  sinceMs: number;
  cursor: string | null;
}

/** Adapter of one provider: the same calls under a signal that has the deadline in it. */
export type TrackerAdapter = {
  [Name in Exclude<keyof IssueTracker, 'provider'>]: IssueTracker[Name] extends (
    ...args: [...infer Args, TrackerCall]
  ) => infer Result
    ? (...args: [...Args, AbortSignal]) => Result
    : never;
};
