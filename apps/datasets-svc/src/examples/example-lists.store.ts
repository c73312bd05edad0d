import { SOURCE_KINDS } from '@clew/contracts';
import { takeSlice, type Slice, type SliceLimits, type SliceRequest } from '@clew/kernel';
import {
  createValuedLists,
  NEWEST_FIRST,
  walkBetween,
  type Database,
  type IndexedValue,
  type KeysetList,
} from '@clew/persistence';
import { exampleCollection, fromExampleDocument, LIST_INDEXES } from './example.model.ts';
import { searchTerms } from './example-terms.ts';
import { ANY, facet, placeKey, type DatasetKey, type SoughtFields, type StoredExample } from './example.ts';

/** Filter of the current Examples. */
export interface ExampleFilter {
  tag?: string | undefined;
  sourceKind?: SoughtFields['sourceKind'] | undefined;
  conversationId?: string | undefined;
  q?: string | undefined;
}

type SliceSize = NonNullable<SliceLimits<StoredExample>['size']>;

/** Excludes the fields by which lists find Examples. */
const UNSOUGHT = { sourceKind: 0, facets: 0, terms: 0 } as const;

export const EXAMPLES: KeysetList = { name: 'examples', order: NEWEST_FIRST };

/** Reads a page of the current Examples that a filter selects, newest first. */
export type ListExamples = (
  key: DatasetKey,
  filter: ExampleFilter,
  slice: SliceRequest & { size: SliceSize },
) => Promise<Slice<StoredExample>>;

export function createExampleLists(database: Database): ListExamples {
  const examples = exampleCollection(database);
  const lists = createValuedLists(database, examples);
  return async ({ projectId, datasetId }, { tag, conversationId, sourceKind, q }, { size, ...slice }) => {
    const words = q === undefined ? [] : searchTerms(q);
    // A search text without any word finds nothing.
    if (q !== undefined && words.length === 0) return { items: [], next: undefined };
    const values: IndexedValue[] = [
      ...(tag === undefined ? [] : [{ field: 'facets', value: facet('tag', tag) }]),
      ...(conversationId === undefined ? [] : [{ field: 'facets', value: facet('conversation', conversationId) }]),
      ...words.map((value) => ({ field: 'terms', value })),
    ];
    const plan = await lists.planOf(
      {
        scope: { projectId, datasetId },
        values: values.length === 0 ? [{ field: 'facets', value: ANY }] : values,
        indexed: { sourceKind: sourceKind ?? { $in: [...SOURCE_KINDS] } },
        compared: [],
      },
      indexOf,
    );
    const { order } = EXAMPLES;
    const hint = indexOf(plan.value.field);
    const end = await lists.endOf(plan, { order, hint, after: slice.after });
    const filter = { $and: [plan.indexed, ...plan.compared] };
    const walk = walkBetween(
      examples,
      order,
      { filter, hint, projection: UNSOUGHT, upTo: end, ...slice },
      fromExampleDocument,
    );
    const found = await takeSlice(walk, { limit: slice.limit, keyOf: placeKey, size });
    return found.next === undefined ? { items: found.items, next: end } : found;
  };
}

function indexOf(field: string): string {
  return field === 'terms' ? LIST_INDEXES.terms : LIST_INDEXES.facets;
}
