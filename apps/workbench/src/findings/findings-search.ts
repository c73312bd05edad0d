import type { FindingCountQuery, FindingListQuery } from '../api/queries.ts';

/** Tabs of the list. */
export const FINDING_VIEWS = ['review', 'confirmed', 'verifying', 'regressed', 'snoozed', 'dismissed', 'all'] as const;
export type FindingView = (typeof FINDING_VIEWS)[number];

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const FINDING_ORDERS = ['lastDetectedAt', 'diagnosticScore', 'occurrenceCount', 'firstDetectedAt'] as const;
export type FindingOrder = (typeof FINDING_ORDERS)[number];

/** Filters with counts of their values. */
export const FINDING_FACETS = ['severity', 'categoryKey', 'ruleId', 'agent', 'assignee', 'workItem'] as const;
export type FindingFacet = (typeof FINDING_FACETS)[number];
/** Filters of which the API takes several values. */
const SEVERAL: readonly FindingFacet[] = ['severity', 'categoryKey', 'ruleId'];
const MAX_VALUES = 10;
const MAX_TEXT = 200;
const WORK_ITEM_STATES: readonly string[] = ['none', 'active', 'done'];

/** State of the list of Findings, all of which is in the address. */
export type FindingsSearch = Readonly<Partial<Record<FindingFacet | 'q' | 'conversationId', string>>> & {
  readonly view?: FindingView;
  readonly sort?: FindingOrder;
};

/** State of the page: that of the list, and the Finding beside it. */
export type FindingsPageSearch = FindingsSearch & { readonly peek?: string };

/** Reads the state of the page from an address. */
export function parseFindingsPageSearch(given: Readonly<Record<string, unknown>>): FindingsPageSearch {
  const peek = textOf(given['peek']);
  return { ...parseFindingsSearch(given), ...(peek === undefined ? {} : { peek }) };
}

/** Reads the state from an address; whatever the API would refuse is left out. */
export function parseFindingsSearch(given: Readonly<Record<string, unknown>>): FindingsSearch {
  const { view, sort, workItem, severity } = given;
  const search: FindingsSearch = {
    view: FINDING_VIEWS.find((each) => each === view),
    sort: FINDING_ORDERS.find((each) => each === sort),
    q: textOf(given['q']),
    conversationId: textOf(given['conversationId']),
    severity: listOf(severity, (value) => (SEVERITIES as readonly string[]).includes(value)),
    categoryKey: listOf(given['categoryKey']),
    ruleId: listOf(given['ruleId']),
    agent: textOf(given['agent']),
    assignee: textOf(given['assignee']),
    workItem: typeof workItem === 'string' && WORK_ITEM_STATES.includes(workItem) ? workItem : undefined,
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().slice(0, MAX_TEXT).trim();
  return text === '' ? undefined : text;
}

function listOf(value: unknown, isKnown: (value: string) => boolean = () => true): string | undefined {
  if (typeof value !== 'string') return undefined;
  const values = value.split(',').filter((each) => each !== '' && each.length <= 100 && isKnown(each));
  const list = [...new Set(values)].slice(0, MAX_VALUES).join(',');
  return list === '' ? undefined : list;
}

const VIEW_FILTERS: Readonly<Record<FindingView, Partial<FindingListQuery>>> = {
  review: { reviewStatus: 'unreviewed', snoozed: false },
  confirmed: { reviewStatus: 'confirmed' },
  verifying: { resolutionStatus: 'awaiting_verification' },
  regressed: { resolutionStatus: 'regressed' },
  snoozed: { snoozed: true },
  dismissed: { reviewStatus: 'dismissed' },
  all: {},
};

/** Filters of the API for a state. */
export function findingFilters(search: FindingsSearch): Omit<FindingListQuery, 'sort' | 'limit'> {
  const { view = 'review', sort: _sort, ...filters } = search;
  return { ...VIEW_FILTERS[view], ...(filters as Partial<FindingListQuery>) };
}

/** Query of the list. */
export function findingListOf(search: FindingsSearch): FindingListQuery {
  const { sort } = search;
  return { ...findingFilters(search), ...(sort === undefined ? {} : { sort }), limit: 50 };
}

/** Values of a filter. */
export function valuesOf(search: FindingsSearch, facet: FindingFacet): string[] {
  return search[facet]?.split(',') ?? [];
}

/** State after a value of a filter was chosen, or left out if it was chosen before. */
export function withValue(search: FindingsSearch, facet: FindingFacet, value: string): FindingsSearch {
  const values = valuesOf(search, facet);
  const isChosen = values.includes(value);
  const next = isChosen
    ? values.filter((each) => each !== value)
    : SEVERAL.includes(facet)
      ? [...values, value]
      : [value];
  return parseFindingsSearch({ ...search, [facet]: next.join(',') });
}

/** Names of the filters that are set, without the tab. */
export function activeFilters(search: FindingsSearch): (FindingFacet | 'q' | 'conversationId')[] {
  return ([...FINDING_FACETS, 'q', 'conversationId'] as const).filter((name) => search[name] !== undefined);
}

export function withoutFilter(search: FindingsSearch, name: keyof FindingsSearch): FindingsSearch {
  return parseFindingsSearch({ ...search, [name]: undefined });
}

/** State with the tab and the order alone. */
export function withoutFilters({ view, sort }: FindingsSearch): FindingsSearch {
  return parseFindingsSearch({ view, sort });
}

/**
 * Counts that the filters show beside their values. The counts of a filter are those without it, so that one sees what
 * another value would give; filters that are not set share one request.
 */
export function facetCounts(search: FindingsSearch): { facets: FindingFacet[]; query: FindingCountQuery }[] {
  const set = FINDING_FACETS.filter((facet) => search[facet] !== undefined);
  const free = FINDING_FACETS.filter((facet) => search[facet] === undefined);
  const query = (without: FindingsSearch, facets: readonly FindingFacet[]): FindingCountQuery => ({
    ...findingFilters(without),
    by: facets.join(','),
  });
  return [
    { facets: free, query: query(search, free) },
    ...set.map((facet) => ({ facets: [facet], query: query(withoutFilter(search, facet), [facet]) })),
  ].filter(({ facets }) => facets.length > 0);
}

/** Whether a Finding still belongs to a tab; one that was dealt with leaves it at once. */
export function belongsTo(view: FindingView, finding: ViewMembers): boolean {
  const { reviewStatus, resolutionStatus, snoozed } = VIEW_FILTERS[view];
  return (
    (reviewStatus === undefined || finding.reviewStatus === reviewStatus) &&
    (resolutionStatus === undefined || finding.resolutionStatus === resolutionStatus) &&
    (snoozed === undefined || (finding.snooze !== null) === snoozed)
  );
}

interface ViewMembers {
  readonly reviewStatus: string;
  readonly resolutionStatus: string;
  readonly snooze: object | null;
}

/** Counts of the tabs, from two counts of all Findings: those that are not snoozed, and all. */
export function viewCounts(awake: Counted | undefined, all: Counted | undefined): Partial<Record<FindingView, number>> {
  const of = (counted: Counted | undefined, field: string, value: string) =>
    counted === undefined ? undefined : (counted.counts[field]?.find((each) => each.value === value)?.count ?? 0);
  return {
    review: of(awake, 'reviewStatus', 'unreviewed'),
    confirmed: of(all, 'reviewStatus', 'confirmed'),
    verifying: of(all, 'resolutionStatus', 'awaiting_verification'),
    regressed: of(all, 'resolutionStatus', 'regressed'),
    snoozed: of(all, 'snoozed', 'true'),
    dismissed: of(all, 'reviewStatus', 'dismissed'),
    all: all?.total,
  };
}

interface Counted {
  readonly total: number;
  readonly counts: Readonly<Record<string, readonly { readonly value: string | null; readonly count: number }[]>>;
}
