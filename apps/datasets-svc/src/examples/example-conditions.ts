import { SOURCE_KINDS } from '@clew/contracts';
import type { IndexedValue, ValuedFilter } from '@clew/persistence';
import { LIST_INDEXES } from './example.model.ts';
import { searchTerms } from './example-terms.ts';
import { ANY, facet, type DatasetKey, type SoughtFields } from './example.ts';

/** Filter of the current Examples. */
export interface ExampleFilter {
  tag?: string | undefined;
  sourceKind?: SoughtFields['sourceKind'] | undefined;
  conversationId?: string | undefined;
  q?: string | undefined;
}

/** Conditions by which a list finds Examples; undefined if none can fulfil the filter. */
export function exampleConditions(
  { projectId, datasetId }: DatasetKey,
  { tag, conversationId, sourceKind, q }: ExampleFilter,
): ValuedFilter | undefined {
  const words = q === undefined ? [] : searchTerms(q);
  // A search text without any word finds nothing.
  if (q !== undefined && words.length === 0) return undefined;
  const values: IndexedValue[] = [
    ...(tag === undefined ? [] : [{ field: 'facets', value: facet('tag', tag) }]),
    ...(conversationId === undefined ? [] : [{ field: 'facets', value: facet('conversation', conversationId) }]),
    ...words.map((value) => ({ field: 'terms', value })),
  ];
  return {
    scope: { projectId, datasetId },
    values: values.length === 0 ? [{ field: 'facets', value: ANY }] : values,
    indexed: { sourceKind: sourceKind ?? { $in: [...SOURCE_KINDS] } },
    compared: [],
  };
}

/** Name of the index of a field. */
export function listIndexOf(field: string): string {
  return field === 'terms' ? LIST_INDEXES.terms : LIST_INDEXES.facets;
}
