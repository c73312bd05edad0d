import type { ConversationSnapshot } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import type { StoredGoal } from '../goals/index.ts';
import { createItemStore, itemCollection, itemOf, type StoredItem } from '../items/index.ts';
import { evidenceIn } from './check-quotes.ts';

/** Evidence follows a conversation to its newer snapshot; returns the items that have become others. */
export type FollowSnapshots = (
  tx: Transaction,
  goal: StoredGoal,
  snapshot: ConversationSnapshot,
  by: { model: string; nowMs: number },
) => Promise<StoredItem[]>;

/** What one conversation taught for one goal beyond that stays as it is. */
const MAX_ITEMS = 500;

export function createFollowSnapshots(database: Database): FollowSnapshots {
  const items = itemCollection(database);
  const store = createItemStore(database);
  return async (tx, { projectId, id: goalId }, snapshot, { model, nowMs }) => {
    const { conversationId } = snapshot;
    const resting = items.find({ projectId, conversationIds: conversationId, goalId }, { session: tx });
    const changed: StoredItem[] = [];
    for (const document of await resting.limit(MAX_ITEMS).toArray()) {
      const item = itemOf(document);
      const evidence = item.evidence.map((one) =>
        one.conversationId === conversationId ? evidenceIn(snapshot, one) : one,
      );
      if (JSON.stringify(evidence) === JSON.stringify(item.evidence)) continue;
      const after = { ...item, evidence, revision: item.revision + 1, updatedAt: nowMs };
      await store.save(tx, after, { kind: 'extraction', id: model });
      changed.push(after);
    }
    return changed;
  };
}
