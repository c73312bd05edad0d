import { MAX_MERGED_FINDINGS } from '@clew/contracts';
import type { Transaction } from '@clew/persistence';
import { OWN_ACTOR, type ActivityStore } from '../findings/activity/index.ts';
import type { HeadOf } from '../findings/clusters/cluster.ts';
import { merged, type Regrouped } from '../findings/clusters/merge.ts';
import type { FindingHead } from '../findings/finding.ts';
import { entriesOf, regroup, type RegroupDependencies } from './regroup.ts';

/** Two Findings that are the same problem. */
export interface EqualPair {
  findingId: string;
  into: string;
}

export interface MergeEqualDependencies extends RegroupDependencies {
  activities: Pick<ActivityStore, 'add'>;
}

/**
 * Merges Findings that are the same problem in other words, in the transaction that says so; returns the ids of those
 * that were merged. What people have taken in hand is left to them.
 */
export type MergeEqual = (
  tx: Transaction,
  projectId: string,
  pairs: readonly EqualPair[],
) => Promise<ReadonlySet<string>>;

export function createMergeEqual(deps: MergeEqualDependencies): MergeEqual {
  const { clusters, activities, clock } = deps;
  return async (tx, projectId, pairs) => {
    if (pairs.length === 0) return new Set();
    const nowMs = clock.now();
    const findingIds = pairs.flatMap(({ findingId, into }) => [findingId, into]);
    const heads = await clusters.heads(tx, { projectIds: [projectId], findingIds });
    const { joined, ...regrouped } = joinedPairs(heads, pairs, nowMs);
    const by = { actor: OWN_ACTOR, requestId: null };
    await regroup(deps, tx, { projectId, heads, regrouped, by });
    const entries = joined.flatMap(({ findingId, into }) => {
      const entry = { kind: 'merge', from: findingId, to: into } as const;
      return entriesOf({ projectId, findingId }, new Set([findingId, into]), entry, { ...by, nowMs });
    });
    await activities.add(tx, entries);
    return new Set(joined.map(({ findingId }) => findingId));
  };
}

/** Merges the pairs that may be, one after the other. */
function joinedPairs(
  heads: ReadonlyMap<string, FindingHead>,
  pairs: readonly EqualPair[],
  nowMs: number,
): Regrouped & { joined: EqualPair[] } {
  const after = new Map(heads);
  const headOf: HeadOf = (id) => after.get(id);
  const joined: EqualPair[] = [];
  const changes: Regrouped[] = [];
  for (const pair of pairs) {
    const [own, target] = [headOf(pair.findingId), headOf(pair.into)];
    const root = target && headOf(target.rootId ?? target.id);
    if (own === undefined || root === undefined || own === root || !isUntouched(own) || !isOpen(root)) continue;
    if ((root.memberIds ?? []).length + (own.memberIds ?? []).length >= MAX_MERGED_FINDINGS) continue;
    const change = merged(headOf, pair, nowMs);
    for (const head of change.changed) after.set(head.id, head);
    changes.push(change);
    joined.push(pair);
  }
  const changedIds = new Set(changes.flatMap(({ changed }) => changed.map(({ id }) => id)));
  return {
    joined,
    changed: [...changedIds].flatMap((id) => headOf(id) ?? []),
    rootIds: [...new Set(changes.flatMap(({ rootIds }) => rootIds))],
    movedIds: [...new Set(changes.flatMap(({ movedIds }) => movedIds))],
  };
}

/** Whether people have left a Finding as it was found, so that it may join another one without them. */
function isUntouched({ reviewStatus, assignee, snooze, workItem, splits, splitFrom, ...head }: FindingHead): boolean {
  const isAsFound = reviewStatus === 'unreviewed' && head.resolutionStatus === 'unresolved';
  const isInHands = assignee !== null || snooze !== null || workItem != null;
  return (
    isAsFound && !isInHands && (splits ?? []).length === 0 && splitFrom === undefined && head.mergedInto === undefined
  );
}

/** Whether further problems may join a Finding without people: it is open. */
function isOpen({ reviewStatus, resolutionStatus }: FindingHead): boolean {
  return reviewStatus !== 'dismissed' && resolutionStatus === 'unresolved';
}
