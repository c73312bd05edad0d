import { MAX_COUNTED, type Count, type CountedOfConversations } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { createValuedLists, MAX_COMPARED, type Database, type KeysetList } from '@clew/persistence';
import { conversationCollection, LIST_INDEXES, type ConversationDocument } from './conversation.model.ts';
import { listConditions, type ConversationFilter, type ListConditions } from './list-conditions.ts';

/** Conversation as read from the store, without the fields by which lists find it. */
export type KnownConversation = Omit<ConversationDocument, 'terms' | 'facets' | 'scored' | 'latency' | 'counted'>;

/** Numbers of conversations by a value, and in all. */
export interface ConversationCounts {
  total: Count;
  counts: Partial<Record<CountedOfConversations, (Count & { value: string })[]>>;
}

export interface ConversationLists {
  /** Lists conversations, newest start first. */
  list(projectId: string, filter: ConversationFilter, slice: SliceRequest): Promise<Slice<KnownConversation>>;
  count(
    projectId: string,
    filter: ConversationFilter,
    by: readonly CountedOfConversations[],
  ): Promise<ConversationCounts>;
}

export const CONVERSATIONS: KeysetList = {
  name: 'conversations',
  order: [
    ['startedAt', -1],
    ['_id', -1],
  ],
};

export const WITHOUT_INDEXED = { terms: 0, facets: 0, scored: 0, latency: 0, counted: 0 } as const;
/** Flags by which conversations are counted, and the name of each value. */
const FLAGS = {
  state: { field: 'isReady', valueOf: (flag: boolean) => (flag ? 'ready' : 'active') },
  hasError: { field: 'hasError', valueOf: String },
  hasFinding: { field: 'hasFinding', valueOf: String },
} as const satisfies Record<CountedOfConversations, object>;

/** Number of conversations with the same flags. */
interface Cell {
  flags: Record<'hasError' | 'hasFinding' | 'isReady', boolean>;
  count: number;
}

export function createConversationLists(database: Database): ConversationLists {
  const conversations = conversationCollection(database.connection);
  const lists = createValuedLists(database, conversations);

  const planOf = async (conditions: ListConditions) => {
    const plan = await lists.planOf(conditions, indexOf);
    return { ...plan, hint: indexOf(plan.value.field) };
  };
  type Plan = Awaited<ReturnType<typeof planOf>>;

  /** Counts each combination of flags within the index. */
  async function cellsOf({ indexed, hint }: Plan, { wanted }: ListConditions['flags']): Promise<Cell[]> {
    const values = (flag: boolean | undefined) => (flag === undefined ? [false, true] : [flag]);
    const combined = values(wanted.hasError).flatMap((hasError) =>
      values(wanted.hasFinding).flatMap((hasFinding) =>
        values(wanted.isReady).map((isReady) => ({ hasError, hasFinding, isReady })),
      ),
    );
    const counted = combined.map(async (cell) => {
      return { flags: cell, count: await lists.count({ ...indexed, ...cell }, { limit: MAX_COUNTED + 1, hint }) };
    });
    return await Promise.all(counted);
  }

  /** Counts by looking at documents, no more than one page compares; where none is excluded, the index counts all. */
  async function comparedCounts({ indexed, compared, hint }: Plan, by: readonly CountedOfConversations[]) {
    const flags = { hasError: '$hasError', hasFinding: '$hasFinding', isReady: '$isReady' };
    const matched = compared.length === 0 ? [] : [{ $match: { $and: compared } }];
    const counted = { $group: { _id: flags, count: { $sum: 1 } } };
    const pipeline = [{ $match: indexed }, { $limit: MAX_COMPARED }, ...matched, counted];
    const [found, entries] = await Promise.all([
      conversations.aggregate<{ _id: Cell['flags']; count: number }>(pipeline, { hint }).toArray(),
      lists.count(indexed, { limit: (compared.length === 0 ? MAX_COUNTED : MAX_COMPARED) + 1, hint }),
    ]);
    const cells = found.map(({ _id, count }) => ({ flags: _id, count }));
    const counts = countsOf(cells, by, entries <= MAX_COMPARED);
    return compared.length === 0 ? { ...counts, total: bounded(entries) } : counts;
  }

  return {
    async list(projectId, filter, slice) {
      const conditions = listConditions(projectId, filter);
      if (conditions === undefined) return { items: [], next: undefined };
      const { hint, ...plan } = await planOf(conditions);
      const request = { order: CONVERSATIONS.order, hint, projection: WITHOUT_INDEXED, ...slice };
      return await lists.slice(plan, request, (found) => found as KnownConversation);
    },

    async count(projectId, filter, by) {
      const conditions = listConditions(projectId, filter);
      if (conditions === undefined) return noConversations(by);
      const plan = await planOf(conditions);
      const isOfIndex = plan.compared.length === 0 && plan.value.field === 'facets';
      if (isOfIndex) return countsOf(await cellsOf(plan, conditions.flags), by, true);
      return await comparedCounts(plan, by);
    },
  };
}

function indexOf(field: string): string {
  return field === 'terms' ? LIST_INDEXES.terms : LIST_INDEXES.facets;
}

/** Counts of a filter that nothing can fulfil. */
export function noConversations(by: readonly CountedOfConversations[]): ConversationCounts {
  return countsOf([], by, true);
}

function countsOf(cells: readonly Cell[], by: readonly CountedOfConversations[], isWhole: boolean): ConversationCounts {
  const sumOf = (some: readonly Cell[]): Count => {
    const { count, atLeast } = bounded(some.reduce((sum, one) => sum + one.count, 0));
    return { count, atLeast: atLeast || !isWhole };
  };
  const of = (name: CountedOfConversations) => {
    const { field, valueOf } = FLAGS[name];
    return [true, false].map((flag) => ({
      value: valueOf(flag),
      ...sumOf(cells.filter(({ flags }) => flags[field] === flag)),
    }));
  };
  return { total: sumOf(cells), counts: Object.fromEntries(by.map((name) => [name, of(name)])) };
}

function bounded(count: number): Count {
  return { count: Math.min(count, MAX_COUNTED), atLeast: count > MAX_COUNTED };
}
