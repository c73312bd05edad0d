import { MAX_COUNTED, type Count, type CountedOfConversations } from '@clew/contracts';
import type { CursorKey, Slice, SliceRequest } from '@clew/kernel';
import { keysetFilter, nativeDb, readSlice, type Database, type KeysetList } from '@clew/persistence';
import { conversationCollection, LIST_INDEXES, type ConversationDocument } from './conversation.model.ts';
import {
  listConditions,
  withOthers,
  type ConversationFilter,
  type IndexedValue,
  type ListConditions,
} from './list-conditions.ts';

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
const MAX_COUNTED_VALUES = 8;
/** Count beyond which a value is simply frequent. */
const MAX_FREQUENCY = 1_000;
/** Conversations that one page, or one count, compares with conditions that no index holds. */
export const MAX_COMPARED = 4_000;

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
  const db = nativeDb(database.connection);

  /** Counts within an index, up to a limit. The command counts index entries, which an aggregation reads one by one. */
  async function countIn(field: IndexedValue['field'], query: object, limit: number): Promise<number> {
    const counted = await db.command({ count: conversations.collectionName, query, limit, hint: LIST_INDEXES[field] });
    return Number(counted['n']);
  }

  /** Values of a list, the one that the fewest conversations have first: the index is read by that one. */
  async function rarestFirst(projectId: string, values: readonly IndexedValue[]): Promise<IndexedValue[]> {
    if (values.length < 2) return [...values];
    const counted = values.slice(0, MAX_COUNTED_VALUES).map(async (one) => {
      const query = { projectId, listed: true, [one.field]: one.value };
      return { one, count: await countIn(one.field, query, MAX_FREQUENCY) };
    });
    const inOrder = (await Promise.all(counted)).sort((left, right) => left.count - right.count);
    return [...inOrder.map(({ one }) => one), ...values.slice(MAX_COUNTED_VALUES)];
  }

  async function planOf(projectId: string, conditions: ListConditions) {
    const [rarest, ...others] = await rarestFirst(projectId, conditions.values);
    if (rarest === undefined) throw new Error('A list has a value at least');
    return {
      rarest,
      hint: LIST_INDEXES[rarest.field],
      indexed: { ...conditions.indexed, [rarest.field]: rarest.value },
      compared: [...withOthers(others), ...conditions.compared],
    };
  }

  type Plan = Awaited<ReturnType<typeof planOf>>;

  /** Last place of a page that compares as many conversations as one page may; undefined if the list ends before. */
  async function endOf({ indexed, hint }: Plan, after: CursorKey | undefined): Promise<CursorKey | undefined> {
    const filter = { $and: [indexed, ...(after === undefined ? [] : [keysetFilter(CONVERSATIONS.order, after)])] };
    const options = { projection: { startedAt: 1 }, hint, skip: MAX_COMPARED - 1, limit: 1 };
    const [last] = await conversations.find(filter, { ...options, sort: { startedAt: -1, _id: -1 } }).toArray();
    return last && [last.startedAt, last._id];
  }

  /** Counts each combination of flags within the index. */
  async function cellsOf({ indexed, rarest }: Plan): Promise<Cell[]> {
    const values = (condition: unknown) => (typeof condition === 'boolean' ? [condition] : [false, true]);
    const { hasError, hasFinding, isReady } = indexed as Record<string, unknown>;
    const combined = values(hasError).flatMap((error) =>
      values(hasFinding).flatMap((finding) =>
        values(isReady).map((ready) => ({ hasError: error, hasFinding: finding, isReady: ready })),
      ),
    );
    const counted = combined.map(async (flags) => {
      return { flags, count: await countIn(rarest.field, { ...indexed, ...flags }, MAX_COUNTED + 1) };
    });
    return await Promise.all(counted);
  }

  /** Counts by comparing documents, no more than one page compares. */
  async function comparedCells({ indexed, compared, hint }: Plan): Promise<{ cells: Cell[]; isWhole: boolean }> {
    const { messageCount, ...sought } = indexed as Record<string, unknown>;
    const also = [...compared, ...(messageCount === undefined ? [] : [{ messageCount }])];
    const flags = { hasError: '$hasError', hasFinding: '$hasFinding', isReady: '$isReady' };
    const [found, looked] = await Promise.all([
      conversations
        .aggregate<{ _id: Cell['flags']; count: number }>(
          [
            { $match: sought },
            { $limit: MAX_COMPARED },
            { $match: { $and: also } },
            { $group: { _id: flags, count: { $sum: 1 } } },
          ],
          { hint },
        )
        .toArray(),
      conversations
        .find(sought, { projection: { _id: 1, startedAt: 1 }, hint, skip: MAX_COMPARED, limit: 1 })
        .toArray(),
    ]);
    return { cells: found.map(({ _id, count }) => ({ flags: _id, count })), isWhole: looked.length === 0 };
  }

  return {
    async list(projectId, filter, slice) {
      const conditions = listConditions(projectId, filter);
      if (conditions === undefined) return { items: [], next: undefined };
      const plan = await planOf(projectId, conditions);
      const { indexed, compared, hint } = plan;
      const end = compared.length === 0 ? undefined : await endOf(plan, slice.after);
      const within = end === undefined ? [] : [notAfter(end)];
      const read = { filter: { $and: [indexed, ...within, ...compared] }, projection: WITHOUT_INDEXED, hint, ...slice };
      const found = await readSlice(conversations, CONVERSATIONS.order, read, (one) => one as KnownConversation);
      return found.next === undefined ? { items: found.items, next: end } : found;
    },

    async count(projectId, filter, by) {
      const conditions = listConditions(projectId, filter);
      if (conditions === undefined) return noConversations(by);
      const plan = await planOf(projectId, conditions);
      if (plan.compared.length === 0 && !('messageCount' in plan.indexed))
        return countsOf(await cellsOf(plan), by, true);
      const { cells, isWhole } = await comparedCells(plan);
      return countsOf(cells, by, isWhole);
    },
  };
}

/** Filter for the documents up to a place in the order, that one included. */
function notAfter([startedAt, id]: CursorKey): object {
  const range = [{ startedAt: { $gt: startedAt } }, { startedAt, _id: { $gte: id } }];
  return { $and: [{ startedAt: { $gte: startedAt } }, { $or: range }] };
}

/** Counts of a filter that nothing can fulfil. */
export function noConversations(by: readonly CountedOfConversations[]): ConversationCounts {
  return countsOf([], by, true);
}

function countsOf(cells: readonly Cell[], by: readonly CountedOfConversations[], isWhole: boolean): ConversationCounts {
  const sumOf = (some: readonly Cell[]): Count => {
    const count = some.reduce((sum, one) => sum + one.count, 0);
    return { count: Math.min(count, MAX_COUNTED), atLeast: !isWhole || count > MAX_COUNTED };
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
