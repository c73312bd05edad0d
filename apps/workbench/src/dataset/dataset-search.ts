import { OUTCOME_IDS, REFUSAL_IDS, type Outcome, type RefusalReason } from '../collection/words.ts';
import type { ExampleListQuery } from '../examples/queries.ts';

export const DATASET_TABS = ['examples', 'versions', 'collection', 'import', 'export'] as const;
export type DatasetTab = (typeof DATASET_TABS)[number];

export const SOURCE_KINDS = ['manual', 'conversation', 'import', 'synthetic'] as const;

/** State of the page of a Dataset, all of which is in the address. */
export interface DatasetSearch {
  /** Absent: the Examples. */
  readonly tab?: Exclude<DatasetTab, 'examples'>;
  readonly q?: string;
  readonly tag?: string;
  readonly sourceKind?: (typeof SOURCE_KINDS)[number];
  readonly conversationId?: string;
  /** Whether the source of the Example under the cursor stands beside the list. */
  readonly beside?: 'source';
  /** Versions that are compared. */
  readonly from?: number;
  readonly to?: number;
  /** Decisions of the collection that are listed. */
  readonly outcome?: Outcome;
  readonly reason?: RefusalReason;
}

/** Filters of Examples, with the greatest length that the API takes. */
const TEXTS = { q: 256, tag: 200, conversationId: 512 } as const;
export type ExampleFilter = keyof typeof TEXTS | 'sourceKind';
const FILTERS: readonly ExampleFilter[] = ['q', 'tag', 'sourceKind', 'conversationId'];

/** Reads the state from an address; whatever the API would refuse is left out. */
export function parseDatasetSearch(given: Readonly<Record<string, unknown>>): DatasetSearch {
  const { tab, sourceKind, beside, outcome, reason } = given;
  const from = versionOf(given['from']);
  const to = versionOf(given['to']);
  const isDiff = from !== undefined && to !== undefined && from <= to;
  const entries = [
    ['tab', DATASET_TABS.find((each) => each === tab && each !== 'examples')],
    ...(Object.keys(TEXTS) as (keyof typeof TEXTS)[]).map((name) => [name, textOf(given[name], TEXTS[name])] as const),
    ['sourceKind', SOURCE_KINDS.find((each) => each === sourceKind)],
    ['beside', beside === 'source' ? beside : undefined],
    ['from', isDiff ? from : undefined],
    ['to', isDiff ? to : undefined],
    ['outcome', OUTCOME_IDS.find((each) => each === outcome)],
    ['reason', REFUSAL_IDS.find((each) => each === reason)],
  ] as const;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as DatasetSearch;
}

function textOf(value: unknown, max: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().slice(0, max).trim();
  return text === '' ? undefined : text;
}

/** Number of a version in an address. */
export function versionOf(value: unknown): number | undefined {
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}

/** Filters of the API for a state. */
export function exampleFilters(search: DatasetSearch): Pick<ExampleListQuery, ExampleFilter> {
  return Object.fromEntries(activeFilters(search).map((name) => [name, search[name]]));
}

export function activeFilters(search: DatasetSearch): ExampleFilter[] {
  return FILTERS.filter((name) => search[name] !== undefined);
}

/** State with another value of a filter; the same one again takes it away. */
export function withFilter(search: DatasetSearch, name: ExampleFilter, value: string | undefined): DatasetSearch {
  return parseDatasetSearch({ ...search, [name]: value === search[name] ? undefined : value });
}

export function withoutFilters({ beside }: DatasetSearch): DatasetSearch {
  return beside === undefined ? {} : { beside };
}
