import type { FindingSplit } from '@clew/contracts';

/**
 * Relation of a Finding to others. Occurrences stay with the Finding as which they were detected. Of several merged
 * Findings, one is the root, and shows what all of them state together.
 */
export interface ClusterState {
  mergedInto?: string | undefined;
  /** Root at the end of the merges; only on a merged Finding. */
  rootId?: string | undefined;
  /** All Findings merged into it, directly or not; only on a root. */
  memberIds?: readonly string[] | undefined;
  /** Number of conversations that show it or a member, each counted once; only on a root. */
  clusterCount?: number | undefined;
  splitFrom?: string | undefined;
  /** Splits in the order of their creation, in which they are tried. */
  splits?: readonly FindingSplit[] | undefined;
}
