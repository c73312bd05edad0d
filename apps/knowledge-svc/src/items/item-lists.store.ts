import {
  KNOWLEDGE_KINDS,
  MAX_COUNTED,
  type Count,
  type CountedOfItems,
  type ItemStatus,
  type KnowledgeItem,
} from '@clew/contracts';
import { subjectKeyOf } from '@clew/knowledge';
import { mergeOrdered, takeSlice, type Slice, type SliceRequest } from '@clew/kernel';
import {
  changedSince,
  compareBy,
  compareKeys,
  createValuedLists,
  keysetKey,
  MAX_COMPARED,
  walkBetween,
  walkInOrder,
  type Database,
  type IndexedValue,
  type KeysetSort,
  type ValuedFilter,
} from '@clew/persistence';
import { ANY, facet, itemCollection, itemOf, LIST_INDEXES, WITHOUT_LIKENESS } from './item.model.ts';
import { STANDINGS, type Standing, type StoredItem } from './item.ts';
import { searchTermsOf } from './search-terms.ts';

export interface ItemFilter {
  goalId?: string | undefined;
  status?: ItemStatus | undefined;
  kind?: KnowledgeItem['kind'] | undefined;
  reviewed?: boolean | undefined;
  sourceTraceId?: string | undefined;
  sourceConversationId?: string | undefined;
  minConfidence?: number | undefined;
  maxConfidence?: number | undefined;
  /** Name of the subject, or the id of the user that it is. */
  subject?: string | undefined;
  updatedAfter?: number | undefined;
  /** Time at which the items were held. */
  asOf?: number | undefined;
  q?: string | undefined;
}

/** Numbers of items by a value, and in all. */
export interface ItemCounts {
  total: Count;
  counts: Partial<Record<CountedOfItems, (Count & { value: string })[]>>;
}

export interface ItemLists {
  /** Lists items; a search lists those with all its words, and those of `near`: at most some dozens of ids. */
  list(
    projectId: string,
    filter: ItemFilter,
    slice: SliceRequest,
    near?: readonly string[],
  ): Promise<Slice<StoredItem>>;
  /** Walks through all items, newest first. */
  walk(projectId: string, filter: Pick<ItemFilter, 'goalId' | 'status' | 'subject'>): AsyncIterable<StoredItem>;
  /** Counts items; a search counts those with all its words. */
  count(projectId: string, filter: ItemFilter, by: readonly CountedOfItems[]): Promise<ItemCounts>;
}

/** Order of what was held at a time: the latest first. */
const LATEST_HELD: KeysetSort = [
  ['heldFrom', -1],
  ['_id', -1],
];
const WALK_BATCH = 500;

/** Fields by which items are counted within the index. */
interface Flags {
  standing: Standing;
  reviewed: boolean;
  kind: StoredItem['kind'];
}

interface Cell {
  flags: Flags;
  count: number;
}

export function createItemLists(database: Database): ItemLists {
  const items = itemCollection(database);
  const lists = createValuedLists(database, items);

  async function planOf(projectId: string, filter: ItemFilter, terms: readonly string[]) {
    const { order, indexes, isHeldOrder } = orderOf(filter);
    const indexOf = (field: string) => (field === 'terms' ? indexes.terms : indexes.facets);
    const conditions = conditionsOf(projectId, filter, { terms, isHeldOrder });
    const plan = await lists.planOf(conditions, indexOf);
    return { conditions, plan, order, hint: indexOf(plan.value.field) };
  }

  type Planned = Awaited<ReturnType<typeof planOf>>;

  /** Reads the items of two sources in order: no index would give the order for one query with both alternatives. */
  async function withNear({ conditions, plan, order, hint }: Planned, slice: SliceRequest, near: readonly string[]) {
    const keyOf = (item: StoredItem) => keysetKey(order, { ...item, _id: item.id });
    const compare = compareBy(order, keyOf);
    const end = await lists.endOf(plan, { order, hint, after: slice.after });
    const filter = { $and: [plan.indexed, ...plan.compared] };
    const isOnPage = (item: StoredItem) =>
      (slice.after === undefined || compareKeys(order, keyOf(item), slice.after) > 0) &&
      (end === undefined || compareKeys(order, keyOf(item), end) <= 0);
    const options = { projection: WITHOUT_LIKENESS, hint: { _id: 1 }, limit: near.length } as const;
    const meant = await items.find({ $and: [{ _id: { $in: [...near] } }, ...besides(conditions)] }, options).toArray();
    const byMeaning = meant.map(itemOf).filter(isOnPage).toSorted(compare);
    const read = { filter, hint, ...slice, upTo: end, projection: WITHOUT_LIKENESS };
    const byWords = walkBetween(items, order, read, itemOf);
    const found = await takeSlice(mergeOrdered(byWords, byMeaning, compare), { limit: slice.limit, keyOf });
    return found.next === undefined ? { items: found.items, next: end } : found;
  }

  /** Counts each combination of standing, review and kind within the index. */
  async function cellsOf({ plan, hint }: Planned, filter: ItemFilter): Promise<Cell[]> {
    const counted = flagsOf(filter).map(async (flags) => {
      return { flags, count: await lists.count({ ...plan.indexed, ...flags }, { limit: MAX_COUNTED + 1, hint }) };
    });
    return await Promise.all(counted);
  }

  /** Counts by comparing documents, no more than one page compares. */
  async function comparedCells({ conditions, plan, hint }: Planned): Promise<{ cells: Cell[]; isWhole: boolean }> {
    const sought = { ...conditions.scope, [plan.value.field]: plan.value.value };
    const flags = { standing: '$standing', reviewed: '$reviewed', kind: '$kind' };
    const counted = { $group: { _id: flags, count: { $sum: 1 } } };
    const also = { $match: { $and: [conditions.indexed, ...plan.compared] } };
    const [found, looked] = await Promise.all([
      items
        .aggregate<{ _id: Flags; count: number }>([{ $match: sought }, { $limit: MAX_COMPARED }, also, counted], {
          hint,
        })
        .toArray(),
      lists.count(sought, { limit: MAX_COMPARED + 1, hint }),
    ]);
    return { cells: found.map(({ _id, count }) => ({ flags: _id, count })), isWhole: looked <= MAX_COMPARED };
  }

  return {
    async list(projectId, filter, slice, near = []) {
      const terms = filter.q === undefined ? [] : searchTermsOf(filter.q);
      // A search without any word finds nothing.
      if (filter.q !== undefined && terms.length === 0) return { items: [], next: undefined };
      const planned = await planOf(projectId, filter, terms);
      if (near.length > 0) return await withNear(planned, slice, near);
      const { plan, order, hint } = planned;
      return await lists.slice(plan, { order, hint, projection: WITHOUT_LIKENESS, ...slice }, itemOf);
    },

    async *walk(projectId, filter) {
      const { plan, order, hint } = await planOf(projectId, filter, []);
      const read = { filter: { $and: [plan.indexed, ...plan.compared] }, hint, limit: WALK_BATCH, sparse: true };
      yield* walkInOrder(items, order, { ...read, projection: WITHOUT_LIKENESS }, itemOf);
    },

    async count(projectId, filter, by) {
      const terms = filter.q === undefined ? [] : searchTermsOf(filter.q);
      if (filter.q !== undefined && terms.length === 0) return countsOf([], by, true);
      const planned = await planOf(projectId, filter, terms);
      const isOfIndex = planned.plan.compared.length === 0 && planned.plan.value.field === 'facets';
      if (isOfIndex) return countsOf(await cellsOf(planned, filter), by, true);
      const { cells, isWhole } = await comparedCells(planned);
      return countsOf(cells, by, isWhole);
    },
  };
}

function orderOf({ asOf, q, updatedAfter }: ItemFilter) {
  const isHeldOrder = asOf !== undefined && q === undefined && updatedAfter === undefined;
  if (isHeldOrder) return { order: LATEST_HELD, indexes: LIST_INDEXES.held, isHeldOrder };
  const { order } = changedSince(updatedAfter);
  return { order, indexes: updatedAfter === undefined ? LIST_INDEXES.newest : LIST_INDEXES.changed, isHeldOrder };
}

/** Conditions of a list. An absent flag stands for each of its values, so that the index gives the order. */
function conditionsOf(
  projectId: string,
  filter: ItemFilter,
  { terms, isHeldOrder }: { terms: readonly string[]; isHeldOrder: boolean },
): ValuedFilter {
  const { asOf, reviewed, kind, minConfidence, maxConfidence, updatedAfter } = filter;
  const values: IndexedValue[] = [
    ...facetsIn(filter).map((value) => ({ field: 'facets', value })),
    ...terms.map((value) => ({ field: 'terms', value })),
  ];
  const held = asOf === undefined ? [] : [heldAt(asOf)];
  return {
    scope: { projectId },
    values: values.length === 0 ? [{ field: 'facets', value: ANY }] : values,
    indexed: {
      standing: { $in: [...standingsOf(filter)] },
      reviewed: reviewed ?? { $in: [false, true] },
      kind: kind ?? { $in: [...KNOWLEDGE_KINDS] },
      ...changedSince(updatedAfter).filter,
      ...(isHeldOrder ? held[0] : {}),
    },
    compared: [...confidenceIn(minConfidence, maxConfidence), ...(isHeldOrder ? [] : held)],
  };
}

function standingsOf({ status, asOf }: ItemFilter): readonly Standing[] {
  return asOf === undefined ? STANDINGS[status ?? 'any'] : ['active', 'superseded'];
}

function facetsIn({ goalId, sourceTraceId, sourceConversationId, subject }: ItemFilter): string[] {
  return [
    ...(goalId === undefined ? [] : [facet('goal', goalId)]),
    ...(sourceTraceId === undefined ? [] : [facet('trace', sourceTraceId)]),
    ...(sourceConversationId === undefined ? [] : [facet('conversation', sourceConversationId)]),
    ...(subject === undefined ? [] : [facet('subject', subjectKeyOf(subject))]),
  ];
}

function confidenceIn(min: number | undefined, max: number | undefined): object[] {
  if (min === undefined && max === undefined) return [];
  return [{ confidence: { ...(min === undefined ? {} : { $gte: min }), ...(max === undefined ? {} : { $lte: max }) } }];
}

/** Filter of `isHeld`, besides the standing. A negation, as the database would read an alternative apart, and sort. */
function heldAt(asOf: number) {
  return { heldFrom: { $lte: asOf }, heldUntil: { $not: { $lte: asOf } } };
}

/** Conditions for items that were found by their meaning: all but the words, which are then not all there. */
function besides({ scope, values, indexed, compared }: ValuedFilter): object[] {
  const of = (wanted: string) => values.filter(({ field }) => field === wanted).map(({ value }) => value);
  const facets = of('facets');
  return [
    ...[scope, indexed, ...compared],
    ...(facets.length === 0 ? [] : [{ facets: { $all: facets } }]),
    { $nor: [{ terms: { $all: of('terms') } }] },
  ];
}

/** Combinations of flags that a filter leaves. */
function flagsOf(filter: ItemFilter): Flags[] {
  const reviews = filter.reviewed === undefined ? [false, true] : [filter.reviewed];
  const kinds = filter.kind === undefined ? KNOWLEDGE_KINDS : [filter.kind];
  return standingsOf(filter).flatMap((standing) =>
    reviews.flatMap((reviewed) => kinds.map((kind) => ({ standing, reviewed, kind }))),
  );
}

/** Values of each field that is counted, and the cells that each stands for. */
const COUNTED: Readonly<Record<CountedOfItems, [value: string, isOf: (flags: Flags) => boolean][]>> = {
  status: [
    ['active', ({ standing }) => standing === 'active'],
    ['archived', ({ standing }) => standing !== 'active'],
  ],
  kind: KNOWLEDGE_KINDS.map((kind) => [kind, (flags) => flags.kind === kind]),
  reviewed: [true, false].map((reviewed) => [String(reviewed), (flags) => flags.reviewed === reviewed]),
};

function countsOf(cells: readonly Cell[], by: readonly CountedOfItems[], isWhole: boolean): ItemCounts {
  const sumOf = (isOf: (flags: Flags) => boolean): Count => {
    const count = cells.reduce((sum, cell) => sum + (isOf(cell.flags) ? cell.count : 0), 0);
    return { count: Math.min(count, MAX_COUNTED), atLeast: !isWhole || count > MAX_COUNTED };
  };
  const counts = by.map((field) => [field, COUNTED[field].map(([value, isOf]) => ({ value, ...sumOf(isOf) }))]);
  return { total: sumOf(() => true), counts: Object.fromEntries(counts) };
}
