import { takeSlice, type Slice, type SliceLimits, type SliceRequest } from '@clew/kernel';
import { createValuedLists, NEWEST_FIRST, walkBetween, type Database, type KeysetList } from '@clew/persistence';
import { exampleConditions, listIndexOf, type ExampleFilter } from './example-conditions.ts';
import { exampleCollection, fromExampleDocument } from './example.model.ts';
import { placeKey, type DatasetKey, type StoredExample } from './example.ts';

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
  return async (key, sought, { size, ...slice }) => {
    const conditions = exampleConditions(key, sought);
    if (conditions === undefined) return { items: [], next: undefined };
    const plan = await lists.planOf(conditions, listIndexOf);
    const { order } = EXAMPLES;
    const hint = listIndexOf(plan.value.field);
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
