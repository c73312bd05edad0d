import type { FindingFilter, FindingSort } from '@clew/contracts';
import { BY_FACET, BY_LAST, BY_SCORE, BY_WORD, DEFAULT_SORT, SORTS, type ListIndex } from './finding-order.ts';
import { FACETS, USUAL_RESOLUTION, USUAL_REVIEW, wordsOf } from './listing-row.ts';

export type Conditions = Record<string, unknown>;

/** Values of one filter whose walks are merged at most. */
const MAX_BRANCHES = 8;

/** Way to the Findings that match one filter: as a list has several filters, the way with the fewest is taken. */
export interface Way {
  index: ListIndex;
  /** Conditions that limit what is read from the index. */
  among: Conditions;
  /** Parts of it that have no Finding in common; absent if it is one. */
  parts?: Conditions[];
}

/** Part of an index that is in the order of the list. */
export interface Branch {
  /** Values of the fields in front of the order. */
  prefix: readonly unknown[];
  /** Conditions on these fields, and on the first one of the order. */
  among: Conditions;
}

/** Way whose branches are in the order of the list, and have no Finding in common. */
export interface OrderedWay extends Way {
  branches: Branch[];
  /** Range of the first field of the order. */
  range: { from?: number | undefined; before?: number | undefined };
}

/** How a list with filters is read. */
export interface ListPlan {
  /** Conditions that every Finding of the list meets. */
  all: Conditions;
  ways: Way[];
  inOrder: OrderedWay;
  /** Whether all that `inOrder` holds is of the list, so that nothing is read in vain. */
  isExact: boolean;
  /** Whether a filter needs the documents, and not the index alone. */
  readsDocuments: boolean;
  /** Conditions that every listed Finding of the project meets. */
  listed: { projectId: string; listed: true };
}

/** Filters with `assignee` as an id, or `undefined` for nobody's. */
export interface ListFilter extends Omit<FindingFilter, 'assignee' | 'conversationId'> {
  /** Empty for Findings that nobody is responsible for. */
  assignee?: string | undefined;
}

export function planOf(projectId: string, filter: ListFilter, sort: FindingSort = DEFAULT_SORT): ListPlan {
  const listed = { projectId, listed: true } as const;
  const ranges = { ...detectedIn(filter), ...scoredFrom(filter) };
  const words = wordConditions(filter.q);
  const columns = columnsOf(filter);
  const facets = facetsOf(filter);
  const narrow = sort === DEFAULT_SORT ? narrowestOf(facets, words.length > 0) : undefined;
  const range = rangeOfOrder(sort, ranges);
  const inOrder = {
    ...(narrow === undefined
      ? { index: SORTS[sort].index, among: { ...listed, ...range }, branches: [wholeOrder(listed, range)] }
      : inFacets(projectId, narrow, range)),
    range: boundsOf(sort, filter),
  };
  const isRanged = Object.keys(ranges).every((field) => field === SORTS[sort].order[0]?.[0]);
  const filtered = Object.keys(columns).length;
  return {
    all: { ...listed, ...columns, ...ranges, ...(words.length === 0 ? {} : { $and: words }) },
    ways: [...facets.map((named) => byFacet(projectId, named)), ...waysOf(filter, { sort, listed, words })],
    inOrder,
    isExact: isRanged && words.length === 0 && filtered === (narrow === undefined ? 0 : 1),
    readsDocuments: words.length > 0,
    listed,
  };
}

/**
 * Facets of one filter that is walked in the default order: one, or several whose walks are merged here, because the
 * server merges the entries of several values only in an index without arrays.
 */
function narrowestOf(facets: readonly string[][], hasWords: boolean): string[] | undefined {
  const most = hasWords ? 1 : MAX_BRANCHES;
  return facets.find(({ length }) => length === 1) ?? facets.find(({ length }) => length <= most);
}

/** Order within values of a filter, one branch for each. */
function inFacets(projectId: string, narrow: readonly string[], range: Conditions): Way & { branches: Branch[] } {
  const { index, among } = byFacet(projectId, narrow);
  return { index, among: { ...among, ...range }, branches: narrow.map((facet) => branchOf(projectId, facet, range)) };
}

function wholeOrder(listed: ListPlan['listed'], range: Conditions): Branch {
  return { prefix: Object.values(listed), among: { ...listed, ...range } };
}

function branchOf(projectId: string, facet: string, range: Conditions): Branch {
  return { prefix: [projectId, facet], among: { projectId, 'listing.facets': facet, ...range } };
}

/** Way to the Findings that have one of some values, of which each has only one. */
function byFacet(projectId: string, named: readonly string[]): Way {
  const parts = named.map((value) => ({ projectId, 'listing.facets': value }));
  return { index: BY_FACET, among: { projectId, 'listing.facets': { $in: named } }, parts };
}

function waysOf(
  filter: ListFilter,
  { sort, listed, words }: { sort: FindingSort; listed: { projectId: string }; words: Conditions[] },
): Way[] {
  const [scored, detected] = [scoredFrom(filter), detectedIn(filter)];
  const rarest = words.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
  return [
    ...('diagnosticScore' in scored && sort !== 'diagnosticScore'
      ? [{ index: BY_SCORE, among: { ...listed, ...scored } }]
      : []),
    ...('lastDetectedAt' in detected && sort !== DEFAULT_SORT
      ? [{ index: BY_LAST, among: { ...listed, ...detected } }]
      : []),
    ...(rarest === undefined ? [] : [{ index: BY_WORD, among: { projectId: listed.projectId, ...rarest } }]),
  ];
}

/** Conditions on the field that the order begins with. */
function rangeOfOrder(sort: FindingSort, ranges: Conditions): Conditions {
  return Object.fromEntries(Object.entries(ranges).filter(([field]) => field === SORTS[sort].order[0]?.[0]));
}

/** Bounds of the field that the order begins with. */
function boundsOf(sort: FindingSort, filter: ListFilter): OrderedWay['range'] {
  if (sort === 'lastDetectedAt') return { from: filter.lastDetectedAfter, before: filter.lastDetectedBefore };
  return sort === 'diagnosticScore' ? { from: filter.minDiagnosticScore } : {};
}

function detectedIn({ lastDetectedAfter: from, lastDetectedBefore: to }: ListFilter): Conditions {
  if (from === undefined && to === undefined) return {};
  const range = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) };
  return { lastDetectedAt: range };
}

function scoredFrom({ minDiagnosticScore }: ListFilter): Conditions {
  return minDiagnosticScore === undefined ? {} : { diagnosticScore: { $gte: minDiagnosticScore } };
}

function columnsOf({ ruleId, categoryKey, assignee, agent, snoozed, workItem, ...statuses }: ListFilter): Conditions {
  const { reviewStatus, resolutionStatus, severity } = statuses;
  const among = Object.entries({ reviewStatus, resolutionStatus, severity, ruleId, categoryKey });
  return {
    ...Object.fromEntries(among.flatMap(([field, named]) => (named === undefined ? [] : [[field, { $in: named }]]))),
    ...(assignee === undefined ? {} : { 'listing.assignee': assignee }),
    ...(agent === undefined ? {} : { 'listing.agent': agent }),
    ...(snoozed === undefined ? {} : { 'listing.snoozed': snoozed }),
    ...(workItem === undefined ? {} : { 'listing.workItem': workItem }),
  };
}

/** Facets of the filters, those that usually leave fewest first. */
function facetsOf(filter: ListFilter): string[][] {
  const { assignee = '', snoozed, workItem = 'none', reviewStatus, resolutionStatus, severity } = filter;
  const { ruleId, agent, categoryKey } = filter;
  return [
    ...(assignee === '' ? [] : [[FACETS.assignee(assignee)]]),
    ...(snoozed === true ? [[FACETS.snoozed]] : []),
    ...(workItem === 'none' ? [] : [[FACETS.workItem(workItem)]]),
    ...(reviewStatus === undefined || reviewStatus.includes(USUAL_REVIEW)
      ? []
      : [reviewStatus.map(FACETS.reviewStatus)]),
    ...(resolutionStatus === undefined || resolutionStatus.includes(USUAL_RESOLUTION)
      ? []
      : [resolutionStatus.map(FACETS.resolutionStatus)]),
    ...(ruleId === undefined ? [] : [ruleId.map(FACETS.ruleId)]),
    ...(agent === undefined ? [] : [[FACETS.agent(agent)]]),
    ...(severity === undefined ? [] : [severity.map(FACETS.severity)]),
    ...(categoryKey === undefined ? [] : [categoryKey.map(FACETS.categoryKey)]),
  ];
}

/** Greater than every word that begins with a text, with this appended to it. */
const LAST_CHARACTER = '\u{10ffff}';

/** One condition for each word; the last one may be the beginning of a word. */
function wordConditions(q: string | undefined): Conditions[] {
  const words = q === undefined ? [] : wordsOf(q);
  const beginning = words.at(-1);
  if (q !== undefined && beginning === undefined) return [{ titleWords: { $in: [] } }];
  return words.map((word) => ({
    titleWords: word === beginning ? { $elemMatch: { $gte: word, $lt: `${word}${LAST_CHARACTER}` } } : word,
  }));
}

function lengthOf({ titleWords }: Conditions): number {
  // A whole word leaves fewer Findings than the beginning of one.
  return typeof titleWords === 'string' ? 100 + titleWords.length : 0;
}
