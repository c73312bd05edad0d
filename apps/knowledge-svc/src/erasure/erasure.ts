import type { ErasedKnowledge } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import { subjectKeyOf } from '@clew/knowledge';
import { eraseLettersOf, queuesSweptBy, sweepDeadLetters, type Broker } from '@clew/messaging';
import { eraseReplies, type Database, type Outbox, type Transaction } from '@clew/persistence';
import type { GoalStore } from '../goals/index.ts';
import {
  countChange,
  createItemStore,
  itemCollection,
  itemEvents,
  itemOf,
  itemRevisionCollection,
  type StoredItem,
} from '../items/index.ts';
import { extractionCollection } from '../extractions/index.ts';

export interface ErasureDependencies {
  database: Database;
  goals: GoalStore;
  outbox: Outbox;
  broker: Broker;
  clock: Clock;
}

export interface ErasureRequest {
  projectId: string;
  requestId: string;
}

/** Counts of one call; it is repeated until `done`. */
export interface ErasedKnowledgeBatch {
  removed: ErasedKnowledge;
  done: boolean;
}

export interface ErasedSubjectBatch {
  removed: Pick<ErasedKnowledge, 'items' | 'revisions' | 'replies'>;
  done: boolean;
}

/** Removes all Knowledge that came from a conversation. A repeated call does not count earlier removals again. */
export interface Erasure {
  conversation(request: ErasureRequest & { conversationId: string }): Promise<ErasedKnowledgeBatch>;
  /** Removes a batch of the items about a subject. */
  subject(request: ErasureRequest & { subject: string }): Promise<ErasedSubjectBatch>;
}

const PAGE_SIZE = 200;
const NONE: ErasedKnowledge = { items: 0, evidence: 0, revisions: 0, extractions: 0, deadLetters: 0, replies: 0 };

export function createErasure({ database, goals, outbox, broker, clock }: ErasureDependencies): Erasure {
  const items = itemCollection(database);
  const revisions = itemRevisionCollection(database);
  const extractions = extractionCollection(database);
  const store = createItemStore(database);

  /** Erases an item with its revisions. */
  async function eraseWhole(tx: Transaction, item: StoredItem) {
    const { id: itemId, projectId, goalId, status } = item;
    await items.deleteOne({ _id: itemId, projectId }, { session: tx });
    const { deletedCount } = await revisions.deleteMany({ projectId, itemId }, { session: tx });
    await goals.count(tx, { projectId, goalId }, countChange(status, undefined));
    return { revisions: deletedCount, changed: { ...item, status: 'erased' as const, revision: item.revision + 1 } };
  }

  /** Erases the evidence of one item, and the item itself if all its evidence is from that conversation. */
  async function eraseFrom(tx: Transaction, item: StoredItem, conversationId: string) {
    const left = item.evidence.filter((one) => one.conversationId !== conversationId);
    const evidence = item.evidence.length - left.length;
    const [first] = left;
    if (first === undefined) return { ...(await eraseWhole(tx, item)), items: 1, evidence };
    const source = { sourceTraceId: first.traceId, sourceConversationId: first.conversationId };
    const isSource = item.sourceConversationId === conversationId;
    const after: StoredItem = {
      ...{ ...item, ...(isSource ? source : {}), evidence: left },
      ...{ revision: item.revision + 1, updatedAt: clock.now() },
    };
    await store.save(tx, after, { kind: 'erasure', id: null });
    return { items: 0, evidence, revisions: 0, changed: after };
  }

  async function eraseSome({ projectId, conversationId, requestId }: ErasureRequest & { conversationId: string }) {
    return await database.withTransaction(async (tx) => {
      const resting = items.find({ projectId, conversationIds: conversationId }, { session: tx });
      const documents = await resting.limit(PAGE_SIZE).toArray();
      const removed = { ...NONE };
      const changed = [];
      for (const document of documents) {
        const one = await eraseFrom(tx, itemOf(document), conversationId);
        removed.items += one.items;
        removed.evidence += one.evidence;
        removed.revisions += one.revisions;
        changed.push(one.changed);
      }
      // An item that was undone no longer quotes what an earlier revision of it quotes.
      const quoting = await revisions.deleteMany({ projectId, conversationIds: conversationId }, { session: tx });
      removed.revisions += quoting.deletedCount;
      const rest = await extractions.deleteMany({ projectId, conversationId }, { session: tx });
      removed.extractions += rest.deletedCount;
      await outbox.appendMany(tx, itemEvents(changed, { projectId, requestId, nowMs: clock.now() }));
      return { removed, isLast: documents.length < PAGE_SIZE, ids: documents.map(({ _id }) => _id) };
    });
  }

  return {
    async subject({ projectId, subject, requestId }) {
      const erased = await database.withTransaction(async (tx) => {
        const about = items.find({ projectId, subjects: subjectKeyOf(subject) }, { session: tx });
        const documents = await about.limit(PAGE_SIZE).toArray();
        const removed = [];
        for (const document of documents) removed.push(await eraseWhole(tx, itemOf(document)));
        const changed = removed.map((each) => each.changed);
        await outbox.appendMany(tx, itemEvents(changed, { projectId, requestId, nowMs: clock.now() }));
        return removed;
      });
      const ids = erased.map(({ changed }) => changed.id);
      const replies = await eraseReplies(database, projectId, ids);
      const revisionCount = erased.reduce((sum, each) => sum + each.revisions, 0);
      return { removed: { items: ids.length, revisions: revisionCount, replies }, done: ids.length < PAGE_SIZE };
    },

    async conversation(request) {
      const { projectId, conversationId } = request;
      // Dead letters go first: while the broker is away, nothing is removed that would not be counted.
      const letters = eraseLettersOf({ projectId, conversationId });
      const deadLetters = await sweepDeadLetters(broker, queuesSweptBy('knowledge-svc'), letters);
      const { removed, isLast, ids } = await eraseSome(request);
      const replies = await eraseReplies(database, projectId, [conversationId, ...ids]);
      return { removed: { ...removed, deadLetters, replies }, done: isLast };
    },
  };
}
