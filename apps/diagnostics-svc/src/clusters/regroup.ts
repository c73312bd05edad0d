import type { Clock } from '@clew/kernel';
import type { Outbox, Transaction } from '@clew/persistence';
import { newActivity, type Activity } from '../findings/activity/index.ts';
import type { FindingKey, Requester } from '../findings/changes/index.ts';
import { isRoot } from '../findings/clusters/cluster.ts';
import type { ClusterStore } from '../findings/clusters/clusters.store.ts';
import type { Regrouped } from '../findings/clusters/merge.ts';
import { findingEvents } from '../findings/finding-events.ts';
import type { FindingHead } from '../findings/finding.ts';
import type { FindingTaskStore } from '../findings/tasks/index.ts';
import type { ResultState } from '../results/result-state.ts';
import type { ResultStore } from '../results/results.store.ts';
import { movesOf } from '../results/with-clusters.ts';

export interface RegroupDependencies {
  results: ResultStore;
  clusters: ClusterStore;
  tasks: FindingTaskStore;
  outbox: Outbox;
  clock: Clock;
}

/** Writes the new grouping, and counts the conversations of each root again. */
export async function regroup(
  { results, clusters, tasks, outbox, clock }: RegroupDependencies,
  tx: Transaction,
  { projectId, heads, regrouped, by }: Regrouping,
): Promise<void> {
  const nowMs = clock.now();
  const after = new Map(heads);
  for (const head of regrouped.changed) after.set(head.id, head);
  for (const id of regrouped.rootIds) {
    const root = after.get(id);
    if (root === undefined || !isRoot(root)) continue;
    const clusterCount = await clusters.countConversations(tx, projectId, [id, ...(root.memberIds ?? [])]);
    after.set(id, { ...root, clusterCount });
  }
  const states = [stateOf(heads), stateOf(after)] as const;
  await results.saveFindings(tx, ...states);
  const context = { requestIdOf: () => by.requestId, nowMs, actor: by.actor };
  await outbox.appendMany(tx, findingEvents(movesOf(...states), context));
  await tasks.recount(tx, projectId, regrouped.movedIds, nowMs);
}

export interface Regrouping {
  projectId: string;
  heads: ReadonlyMap<string, FindingHead>;
  regrouped: Regrouped;
  by: { actor: Requester['actor']; requestId: string | null };
}

function stateOf(heads: ReadonlyMap<string, FindingHead>): ResultState {
  return { conversations: new Map(), findings: new Map([...heads].map(([id, head]) => [id, { head }])) };
}

/** Activities of Findings in which one thing happened to all of them. */
export function entriesOf(
  { projectId }: FindingKey,
  findingIds: ReadonlySet<string>,
  what: Parameters<typeof newActivity>[1],
  by: Parameters<typeof newActivity>[2],
): Activity[] {
  return [...findingIds].map((id) => newActivity({ projectId, id }, what, by));
}
