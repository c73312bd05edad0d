import type { ConversationSnapshot, ItemEvidence } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import type { StoredGoal } from '../goals/index.ts';
import { createItemStore, itemCollection, itemOf, type StoredItem } from '../items/index.ts';

/** Moves evidence of a conversation to its newer snapshot. */
export interface FollowSnapshots {
  /** Evidence from the conversation, of all items of a goal. */
  resting(of: { projectId: string; goalId: string; conversationId: string }): Promise<ItemEvidence[]>;
  /**
   * Replaces evidence by `followed`, its form in the newer snapshot, and returns the changed items. Evidence that was
   * added meanwhile belongs to the newer snapshot already.
   */
  follow(
    tx: Transaction,
    goal: StoredGoal,
    of: Pick<ConversationSnapshot, 'conversationId'> & Followed,
    by: { model: string; nowMs: number },
  ): Promise<StoredItem[]>;
}

export interface Followed {
  resting: readonly ItemEvidence[];
  /** Evidence as the newer snapshot has it, in the order of `resting`. */
  followed: readonly ItemEvidence[];
}

/** Maximum items of one conversation and goal whose evidence is moved; further items stay as they are. */
const MAX_ITEMS = 500;

export function createFollowSnapshots(database: Database): FollowSnapshots {
  const items = itemCollection(database);
  const store = createItemStore(database);
  const itemsOf = (projectId: string, goalId: string, conversationId: string, tx?: Transaction) =>
    items
      .find({ projectId, conversationIds: conversationId, goalId }, tx === undefined ? {} : { session: tx })
      .limit(MAX_ITEMS)
      .toArray();

  return {
    async resting({ projectId, goalId, conversationId }) {
      const evidence = (await itemsOf(projectId, goalId, conversationId)).flatMap((each) => itemOf(each).evidence);
      return evidence.filter((one) => one.conversationId === conversationId);
    },

    async follow(tx, { projectId, id: goalId }, { conversationId, resting, followed }, { model, nowMs }) {
      const after = new Map(resting.map((one, index) => [JSON.stringify(one), followed[index] ?? one]));
      const changed: StoredItem[] = [];
      for (const document of await itemsOf(projectId, goalId, conversationId, tx)) {
        const item = itemOf(document);
        const evidence = item.evidence.map((one) => after.get(JSON.stringify(one)) ?? one);
        if (JSON.stringify(evidence) === JSON.stringify(item.evidence)) continue;
        const moved = { ...item, evidence, revision: item.revision + 1, updatedAt: nowMs };
        await store.save(tx, moved, { kind: 'extraction', id: model });
        changed.push(moved);
      }
      return changed;
    },
  };
}
