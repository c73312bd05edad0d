import { MAX_SPLIT_OCCURRENCES, type SplitCondition } from '@clew/contracts';
import { AppError, canonicalJson, notFound, type Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { ActivityStore } from '../findings/activity/index.ts';
import type { FindingKey, Requester } from '../findings/changes/index.ts';
import type { HeadOf } from '../findings/clusters/cluster.ts';
import type { ClusterStore } from '../findings/clusters/clusters.store.ts';
import { merged, unmerged } from '../findings/clusters/merge.ts';
import type { FindingHead, StoredFinding } from '../findings/finding.ts';
import type { FindingStore } from '../findings/findings.store.ts';
import type { OccurrenceStore } from '../findings/occurrences/occurrences.store.ts';
import type { FindingTaskStore } from '../findings/tasks/index.ts';
import { conversationKey } from '../results/result-state.ts';
import type { ResultStore } from '../results/results.store.ts';
import { createStateWriter } from '../results/state-writer.ts';
import { entriesOf, regroup } from './regroup.ts';
import { plannedSplit, withSplit } from './split.ts';

export interface ClustersDependencies {
  database: Database;
  results: ResultStore;
  clusters: ClusterStore;
  findings: FindingStore;
  occurrences: OccurrenceStore;
  activities: ActivityStore;
  tasks: FindingTaskStore;
  outbox: Outbox;
  clock: Clock;
}

/** Requester of a change; `check` may throw for the Finding named in the path. */
export interface Change extends Requester {
  check: (current: Pick<FindingHead, 'id' | 'revision'>) => void;
}

export type ClustersService = ReturnType<typeof createClustersService>;

/**
 * Applies what people say about which conversations show the same problem. A concurrent result conflicts, and runs
 * again.
 */
export function createClustersService(deps: ClustersDependencies) {
  const { database, results, clusters, findings, occurrences, activities, outbox, clock } = deps;
  const writer = createStateWriter(results);

  async function headsOf(tx: Transaction, projectId: string, findingIds: readonly string[]) {
    const heads = await clusters.heads(tx, { projectIds: [projectId], findingIds });
    for (const id of findingIds) if (!heads.has(id)) throw missing();
    return heads;
  }

  async function require(tx: Transaction, { projectId, findingId }: FindingKey): Promise<StoredFinding> {
    const finding = await findings.get(projectId, findingId, tx);
    if (finding === undefined) throw missing();
    return finding;
  }

  return {
    merge: (key: FindingKey, into: string, { check, ...by }: Change): Promise<StoredFinding> =>
      database.withTransaction(async (tx) => {
        const { projectId, findingId } = key;
        const nowMs = clock.now();
        const heads = await headsOf(tx, projectId, [findingId, into]);
        const headOf: HeadOf = (id) => heads.get(id);
        check(known(heads, findingId));
        const regrouped = merged(headOf, { findingId, into }, nowMs);
        await regroup(deps, tx, { projectId, heads, regrouped, by });
        const entry = { kind: 'merge', from: findingId, to: into } as const;
        await activities.add(tx, entriesOf(key, new Set([findingId, into]), entry, { ...by, nowMs }));
        return require(tx, key);
      }),

    unmerge: (key: FindingKey, { check, ...by }: Change): Promise<StoredFinding> =>
      database.withTransaction(async (tx) => {
        const { projectId, findingId } = key;
        const nowMs = clock.now();
        const heads = await headsOf(tx, projectId, [findingId]);
        const own = known(heads, findingId);
        check(own);
        const regrouped = unmerged((id) => heads.get(id), findingId, nowMs);
        await regroup(deps, tx, { projectId, heads, regrouped, by });
        const from = own.mergedInto ?? findingId;
        const entry = { kind: 'unmerge', from: findingId, to: from } as const;
        await activities.add(tx, entriesOf(key, new Set([findingId, from]), entry, { ...by, nowMs }));
        return require(tx, key);
      }),

    /** `inTransaction` receives the Finding that the split made. */
    split: (
      key: FindingKey,
      condition: SplitCondition,
      { check, ...by }: Change,
      inTransaction: (tx: Transaction, made: StoredFinding) => Promise<void>,
    ): Promise<StoredFinding> =>
      database.withTransaction(async (tx) => {
        const { projectId, findingId } = key;
        const nowMs = clock.now();
        const heads = await headsOf(tx, projectId, [findingId]);
        const parent = known(heads, findingId);
        check(parent);
        const planned = plannedSplit(parent, condition);
        const moved = await occurrences.matching(tx, key, condition, MAX_SPLIT_OCCURRENCES + 1);
        requireSplittable(moved.length, condition);
        const targets = moved.map(({ conversationId }) => ({ projectId, conversationId, runs: [] }));
        const before = await results.load(tx, targets);
        const applied = withSplit(before, { ...planned, moved }, nowMs);
        const requestIds = new Map(
          moved.map(({ conversationId }) => [conversationKey(projectId, conversationId), by.requestId]),
        );
        const { messages } = await writer.write(tx, { before, applied, requestIds, nowMs, actor: by.actor });
        await outbox.appendMany(tx, messages);
        const childId = planned.split.findingId;
        const entry = { kind: 'split', from: findingId, to: childId, text: canonicalJson(condition) } as const;
        await activities.add(tx, entriesOf(key, new Set([findingId, childId]), entry, { ...by, nowMs }));
        const made = await require(tx, { projectId, findingId: childId });
        await inTransaction(tx, made);
        return made;
      }),
  };
}

function known(heads: ReadonlyMap<string, FindingHead>, findingId: string): FindingHead {
  const head = heads.get(findingId);
  if (head === undefined) throw missing();
  return head;
}

function missing(): AppError {
  return notFound('FINDING_NOT_FOUND', 'The Finding does not exist');
}

function requireSplittable(matching: number, { conversationIds }: SplitCondition): void {
  if (conversationIds !== undefined && matching < conversationIds.length) {
    throw new AppError('CONFLICT', 'The Finding was not found, as itself, in each of these conversations');
  }
  if (matching === 0) throw new AppError('CONFLICT', 'The signal fired in none of the conversations of the Finding');
  if (matching > MAX_SPLIT_OCCURRENCES) {
    throw new AppError('CONFLICT', `More than ${MAX_SPLIT_OCCURRENCES} conversations match`);
  }
}
