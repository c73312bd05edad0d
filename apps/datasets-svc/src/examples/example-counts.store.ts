import {
  MAX_COUNTED,
  MAX_COUNTED_TAGS,
  SOURCE_KINDS,
  SPLITS,
  type Count,
  type CountedOfExamples,
  type Split,
} from '@clew/contracts';
import { notFound } from '@clew/kernel';
import { createValuedLists, MAX_COMPARED, type Database, type ValuedPlan } from '@clew/persistence';
import { exampleConditions, listIndexOf, type ExampleFilter } from './example-conditions.ts';
import type { DatasetLookup } from './example-reader.ts';
import { EXAMPLES } from './example-lists.store.ts';
import { exampleCollection } from './example.model.ts';
import { ANY, facet, type DatasetKey, type SoughtFields } from './example.ts';

type ValueCount = Count & { value: string };

/** Numbers of Examples by a value, and in all. */
export interface ExampleCounts {
  total: Count;
  counts: Partial<Record<CountedOfExamples, ValueCount[]>>;
}

/** Counts the current Examples that a filter selects; throws NOT_FOUND without the Dataset. */
export type CountExamples = (
  key: DatasetKey,
  filter: ExampleFilter,
  by: readonly CountedOfExamples[],
) => Promise<ExampleCounts>;

type Kind = SoughtFields['sourceKind'];

interface Cell {
  kind: Kind;
  split: Split | undefined;
  count: number;
}

/** Counts by what the newest Examples are; `isWhole` if these are all. */
interface Looked {
  cells: Cell[];
  tags: { tag: string; count: number }[];
  isWhole: boolean;
}

const TAG_PREFIX = facet('tag', '');
/** Range of the facets that are tags: the second end is the first text after all of them. */
const TAGS = { $gte: TAG_PREFIX, $lt: `${TAG_PREFIX.slice(0, -1)};` };

export function createCountExamples(database: Database, datasets: DatasetLookup): CountExamples {
  const examples = exampleCollection(database);
  const lists = createValuedLists(database, examples);

  async function lookAtNewest({ indexed, compared, value }: ValuedPlan, withTags: boolean): Promise<Looked> {
    const hint = listIndexOf(value.field);
    const newest = [
      { $match: indexed },
      { $sort: Object.fromEntries(EXAMPLES.order) },
      { $limit: MAX_COMPARED },
      ...(compared.length === 0 ? [] : [{ $match: { $and: compared } }]),
    ];
    const counted = { count: { $sum: 1 } };
    const [cells, tags, looked] = await Promise.all([
      examples
        .aggregate<{ _id: { kind: Kind; split?: Split }; count: number }>(
          [...newest, { $group: { _id: { kind: '$sourceKind', split: '$split' }, ...counted } }],
          { hint },
        )
        .toArray(),
      withTags
        ? examples
            .aggregate<{ _id: string; count: number }>(
              [
                ...[...newest, { $project: { facets: 1 } }, { $unwind: '$facets' }, { $match: { facets: TAGS } }],
                ...[{ $group: { _id: '$facets', ...counted } }, { $sort: { count: -1, _id: 1 } }],
                { $limit: MAX_COUNTED_TAGS },
              ],
              { hint },
            )
            .toArray()
        : [],
      lists.count(indexed, { limit: MAX_COMPARED + 1, hint }),
    ]);
    return {
      cells: cells.map(({ _id: { kind, split }, count }) => ({ kind, split, count })),
      tags: tags.map(({ _id, count }) => ({ tag: _id.slice(TAG_PREFIX.length), count })),
      isWhole: looked <= MAX_COMPARED,
    };
  }

  /** Counts in the index those that have the facet, too; only for lists that no other value selects. */
  async function countInIndex({ indexed }: ValuedPlan, value: string, kind?: Kind): Promise<number> {
    const query = { ...indexed, facets: value, ...(kind === undefined ? {} : { sourceKind: kind }) };
    return await lists.count(query, { limit: MAX_COUNTED + 1, hint: listIndexOf('facets') });
  }

  /** Counts exactly, in the index, what the newest Examples told only a part of. */
  async function widen(plan: ValuedPlan, { cells, tags }: Looked): Promise<ExampleCounts> {
    const kindOf = (plan.indexed as { sourceKind: unknown }).sourceKind;
    const kinds = SOURCE_KINDS.filter((kind) => typeof kindOf !== 'string' || kindOf === kind);
    const [byKind, byTag] = await Promise.all([
      Promise.all(kinds.map(async (kind) => ({ kind, count: await countInIndex(plan, ANY, kind) }))),
      Promise.all(tags.map(async ({ tag }) => ({ value: tag, count: await countInIndex(plan, facet('tag', tag)) }))),
    ]);
    const total = byKind.reduce((sum, { count }) => sum + count, 0);
    const countOf = (kind: Kind) => byKind.find((one) => one.kind === kind)?.count ?? 0;
    return {
      total: bounded(total),
      counts: {
        sourceKind: SOURCE_KINDS.map((value) => ({ value, ...bounded(countOf(value)) })),
        tag: mostFirst(byTag.map(({ value, count }) => ({ value, ...bounded(count) }))),
        split: splitsOf(cells, false),
      },
    };
  }

  return async (key, filter, by) => {
    if ((await datasets.get(key.projectId, key.datasetId)) === undefined) throw notFound();
    const conditions = exampleConditions(key, filter);
    const only = ({ total, counts }: ExampleCounts) => ({
      total,
      counts: Object.fromEntries(by.map((field) => [field, counts[field] ?? []])),
    });
    if (conditions === undefined) return only(countsOf({ cells: [], tags: [], isWhole: true }));
    const plan = await lists.planOf(conditions, listIndexOf);
    const looked = await lookAtNewest(plan, by.includes('tag'));
    const isByKindAlone = plan.value.value === ANY && plan.compared.length === 0;
    return only(looked.isWhole || !isByKindAlone ? countsOf(looked) : await widen(plan, looked));
  };
}

function countsOf({ cells, tags, isWhole }: Looked): ExampleCounts {
  const sumOf = (some: readonly Cell[]): Count => ({
    count: some.reduce((sum, { count }) => sum + count, 0),
    atLeast: !isWhole,
  });
  return {
    total: sumOf(cells),
    counts: {
      sourceKind: SOURCE_KINDS.map((value) => ({ value, ...sumOf(cells.filter(({ kind }) => kind === value)) })),
      tag: tags.map(({ tag: value, count }) => ({ value, count, atLeast: !isWhole })),
      split: splitsOf(cells, isWhole),
    },
  };
}

function splitsOf(cells: readonly Cell[], isWhole: boolean): ValueCount[] {
  return SPLITS.map((value) => ({
    value,
    count: cells.filter(({ split }) => split === value).reduce((sum, { count }) => sum + count, 0),
    atLeast: !isWhole,
  }));
}

function bounded(count: number): Count {
  return { count: Math.min(count, MAX_COUNTED), atLeast: count > MAX_COUNTED };
}

function mostFirst(counts: readonly ValueCount[]): ValueCount[] {
  return counts.toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}
