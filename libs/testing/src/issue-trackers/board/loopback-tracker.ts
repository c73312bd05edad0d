import type { FaultPlan } from './faults.ts';
import type { BoardEvent, HostedIssue, HostedState } from './issue-board.ts';
import type { TrackerRequest } from './traffic.ts';

/** Webhook as a provider sends it. */
export interface TrackerDelivery {
  headers: Record<string, string>;
  body: Buffer;
}

/** Lasting conditions at a provider, which tests can change. */
export interface TrackerSettings {
  /** The credentials are not accepted. */
  isRevoked: boolean;
  /** The credentials can read only. */
  isReadOnly: boolean;
  /** The destination is hidden from these credentials. */
  isHidden: boolean;
  /** The destination takes no issues. */
  issuesDisabled: boolean;
  /** Labels are dropped without a word. */
  dropsLabels: boolean;
  /** Time by which the index of searches lags. */
  searchLagMs: number;
}

/** Server on loopback that behaves like the API of an issue tracker. */
export interface LoopbackTracker {
  readonly provider: 'github' | 'gitlab' | 'jira' | 'linear';
  /** Configuration of a connection to it. */
  readonly baseUrl: string;
  readonly credentials: Readonly<Record<string, string>>;
  readonly destination: Readonly<Record<string, string>>;
  readonly webhookSecret: string;
  readonly requests: TrackerRequest[];
  readonly faults: FaultPlan;
  readonly settings: TrackerSettings;
  /** All issues that were ever made, also deleted ones. */
  readonly issues: readonly HostedIssue[];
  readonly events: BoardEvent[];
  /** Acts of people at the provider. */
  add(title: string, body?: string): HostedIssue;
  put(issue: HostedIssue, state: HostedState): void;
  rename(issue: HostedIssue, title: string): void;
  remove(issue: HostedIssue): void;
  /** Moves an issue to a place that the credentials see, if the provider has such places. */
  move(issue: HostedIssue): void;
  /** Signs the webhook of an event. The same event always has the same delivery id. */
  deliveryOf(event: BoardEvent): TrackerDelivery;
  stop(): Promise<void>;
}

export interface TrackerOptions {
  /** Source of the time; the system's by default. */
  now?: () => number;
  port?: number;
  /** Calls after which the rate is limited until the window of an hour is over; no limit by default. */
  callsPerHour?: number;
}

export function usualSettings(): TrackerSettings {
  return {
    ...{ isRevoked: false, isReadOnly: false, isHidden: false, issuesDisabled: false },
    ...{ dropsLabels: false, searchLagMs: 0 },
  };
}
