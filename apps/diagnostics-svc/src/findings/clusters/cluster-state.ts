import type { FindingSplit } from '@clew/contracts';

/**
 * How a Finding hangs together with others. Occurrences stay with the Finding that they were found as; of several that
 * were merged, one is the root, and says what all of them say together.
 */
export interface ClusterState {
  mergedInto?: string | undefined;
  /** Of one that is merged: the one at the end of that way. */
  rootId?: string | undefined;
  /** Of a root: all that lead to it. */
  memberIds?: readonly string[] | undefined;
  /** Of a root: the conversations that show it or a member, each once. */
  clusterCount?: number | undefined;
  splitFrom?: string | undefined;
  /** The earliest first, which is tried first. */
  splits?: readonly FindingSplit[] | undefined;
}
