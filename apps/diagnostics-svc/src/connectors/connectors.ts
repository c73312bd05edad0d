import type { TrackerDestination, TrackerProvider } from '@clew/contracts';
import type { IssueTracker } from '@clew/issue-trackers';
import type { Transaction } from '@clew/persistence';
import type { StoredConnector } from './connector.ts';

/** Connectors of projects, for everything that calls an issue tracker. */
export interface Connectors {
  /** Finds the named connector of the provider, or its default one; undefined if it is missing or disabled. */
  choose(
    projectId: string,
    wanted: { provider: TrackerProvider; connectorId?: string | undefined },
    tx?: Transaction,
  ): Promise<StoredConnector | undefined>;
  /** Reads a connector, also a disabled one. */
  read(projectId: string, connectorId: string, tx?: Transaction): Promise<StoredConnector | undefined>;
  /**
   * Opens the issue tracker with the decrypted credentials, for one use, in the given destination or the default one.
   * Throws SecretUnreadableError if they were stored under another AUTH_SECRET.
   */
  trackerOf(connector: StoredConnector, destination?: TrackerDestination | null): IssueTracker;
}

/** Issue that a verified webhook named. */
export interface TouchedIssue {
  projectId: string;
  connectorId: string;
  externalId: string;
}

/**
 * Makes the next synchronization of an issue due. Called in the transaction that remembers the delivery. An issue that no
 * work item has is ignored.
 */
export type OnIssueTouched = (tx: Transaction, issue: TouchedIssue) => Promise<void>;
