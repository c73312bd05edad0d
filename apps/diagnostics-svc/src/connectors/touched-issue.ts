import type { Transaction } from '@clew/persistence';

/** Issue that a verified webhook named. */
export interface TouchedIssue {
  projectId: string;
  connectorId: string;
  externalId: string;
}

/**
 * Makes the next synchronization of an issue due, in the transaction that remembers the delivery. An issue that no work
 * item has is ignored.
 */
export type OnIssueTouched = (tx: Transaction, issue: TouchedIssue) => Promise<void>;
