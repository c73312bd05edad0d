import type { ItemEvidence, NewKnowledgeItem } from '@clew/contracts';
import { AppError, newId, notFound, type Clock } from '@clew/kernel';
import { THE_PROJECT } from '@clew/knowledge';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { GoalStore } from '../goals/index.ts';
import { itemEvents } from './item-events.ts';
import type { Likeness } from './item.model.ts';
import { countChange, type Author, type StoredItem } from './item.ts';
import type { ItemStore } from './items.store.ts';

export interface WriteItemDependencies {
  database: Database;
  items: ItemStore;
  goals: GoalStore;
  outbox: Outbox;
  clock: Clock;
  /** Computes the fields for finding similar items. */
  likenessOf(item: StoredItem): Likeness;
  /** Finds quotes in the conversations that they name. Throws VALIDATION_FAILED for one that is not there. */
  findQuotes(projectId: string, quotes: NewKnowledgeItem['evidence']): Promise<FoundQuotes>;
}

export interface FoundQuotes {
  evidence: ItemEvidence[];
  /** Time of the newest quoted message; undefined without quotes. */
  saidAt: number | undefined;
}

export interface WriteRequest {
  projectId: string;
  input: NewKnowledgeItem;
  author: Author & { id: string };
  requestId: string;
  /** Runs in the transaction that stores the item. */
  inTransaction(tx: Transaction, written: StoredItem): Promise<void>;
}

/** Stores items that people write. */
export function createWriteItem(dependencies: WriteItemDependencies) {
  const { database, items, goals, outbox, clock, likenessOf, findQuotes } = dependencies;
  return async ({ projectId, input, author, requestId, inTransaction }: WriteRequest): Promise<StoredItem> => {
    const quotes = await findQuotes(projectId, input.evidence);
    return await database.withTransaction(async (tx) => {
      const key = { projectId, goalId: input.goalId };
      const goal = await goals.get(key, tx);
      if (goal === undefined) throw notFound();
      if (goal.status === 'archived') throw new AppError('CONFLICT', 'The Learning Goal is archived');
      const item = writtenItem(projectId, input, quotes, { id: author.id, nowMs: clock.now() });
      // The count comes first: of two equal items that are written at once, the second then sees the first.
      await goals.count(tx, key, countChange(undefined, item.status));
      const likeness = likenessOf(item);
      const same = await items.sameWords(tx, item, likeness.textKey);
      if (same !== undefined) throw new AppError('CONFLICT', `The goal already has an item with these words: ${same}`);
      await items.save(tx, item, author, likeness);
      await outbox.appendMany(tx, itemEvents([item], { projectId, requestId, nowMs: item.createdAt }));
      await inTransaction(tx, item);
      return item;
    });
  };
}

function writtenItem(
  projectId: string,
  input: NewKnowledgeItem,
  { evidence, saidAt = undefined }: FoundQuotes,
  { id: reviewedBy, nowMs }: { id: string; nowMs: number },
): StoredItem {
  const { goalId, title, content, kind, subject = THE_PROJECT, validFrom = null, validUntil = null } = input;
  const [first] = evidence;
  const said = saidAt ?? nowMs;
  return {
    ...{ id: newId('kitm'), projectId, goalId, status: 'active', title, content, kind, confidence: 1 },
    subject: { ...subject, userId: null },
    ...{ sourceTraceId: first?.traceId ?? '', sourceConversationId: first?.conversationId ?? '', evidence },
    ...{ authority: 'person_written', saidAt: said, validFrom, validUntil },
    ...{ heldFrom: validFrom ?? said, heldUntil: validUntil, reviewedAt: nowMs, reviewedBy },
    ...{ supersedes: null, supersededBy: null, possiblyOutdatedBy: null },
    ...{ revision: 1, createdAt: nowMs, updatedAt: nowMs },
  };
}
