import type { Database, Transaction } from '@clew/persistence';
import type { Occurrence } from '../findings/occurrence.ts';
import { conversationKey } from '../results/result-state.ts';
import type { TakenResults } from '../results/results.service.ts';
import type { AdjudicationStore } from './adjudications.store.ts';
import { adjudicationIdOf, NEVER_JUDGED, type AdjudicationTarget } from './adjudication.ts';

export interface QueueAdjudicationsDependencies {
  database: Pick<Database, 'afterCommit'>;
  adjudications: Pick<AdjudicationStore, 'add'>;
  /** Wakes the loop that asks judges. */
  wake(): void;
}

/**
 * Queues adjudications of new findings, one for each Rule and snapshot. The findings count at once, and nothing waits
 * for the judge. A repeated result brings no new findings.
 */
export function createQueueAdjudications({ database, adjudications, wake }: QueueAdjudicationsDependencies) {
  return async (tx: Transaction, { taken, before, after, nowMs }: TakenResults): Promise<void> => {
    const wanted = new Map<string, AdjudicationTarget & { requestId: string | null }>();
    const requestIds = new Map(
      taken.map(({ projectId, conversationId, requestId }) => [conversationKey(projectId, conversationId), requestId]),
    );
    for (const [key, conversation] of after.conversations) {
      if (before.conversations.get(key) === conversation) continue;
      for (const { occurrences } of conversation.rules.values()) {
        for (const occurrence of occurrences.values()) {
          // An occurrence that was loaded and is unchanged has no detection.
          if (!('detection' in occurrence) || NEVER_JUDGED.has(occurrence.detection.ruleKey)) continue;
          const target = targetOf(occurrence);
          wanted.set(adjudicationIdOf(target), { ...target, requestId: requestIds.get(key) ?? null });
        }
      }
    }
    if (wanted.size === 0) return;
    await adjudications.add(tx, [...wanted.values()], nowMs);
    database.afterCommit(tx, wake);
  };
}

function targetOf({ projectId, conversationId, snapshotId, ruleId, ruleRevision }: Occurrence): AdjudicationTarget {
  const rule = ruleRevision === undefined ? { ruleId } : { ruleId, revision: String(ruleRevision) };
  return { projectId, conversationId, snapshotId, rule };
}
