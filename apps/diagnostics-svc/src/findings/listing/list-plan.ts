import {
  RESOLUTION_STATUSES,
  REVIEW_STATUSES,
  SEVERITIES,
  type FindingFilter,
  type FindingSort,
} from '@clew/contracts';
import { BY_FACET, BY_LAST, BY_SCORE, BY_WORD, DEFAULT_SORT, SORTS, type ListIndex } from './finding-order.ts';
import { FACETS, wordsOf } from './listing-row.ts';

export type Conditions = Record<string, unknown>;

/** Way to the Findings that match one filter: as a list has several filters, the way with the fewest is taken. */
export interface Way {
  index: ListIndex;
  /** Conditions that limit what is read from the index. */
  among: Conditions;
}

/** How a list with filters is read. */
export interface ListPlan {
  /** Conditions that every Finding of the list meets. */
  all: Conditions;
  ways: Way[];
  /** Way in the order of the list. */
  inOrder: Way;
  /** Whether `inOrder` has conditions for all filters, so that it reads nothing in vain. */
  isExact: boolean;
  /** Whether a filter needs the documents, and not the index alone. */
  readsDocuments: boolean;
}

/** Filters with `assignee` as an id, or `undefined` for nobody's. */
export interface ListFilter extends Omit<FindingFilter, 'assignee' | 'conversationId'> {
  /** Empty for Findings that nobody is responsible for. */
  assignee?: string | undefined;
}

export function planOf(projectId: string, filter: ListFilter, sort: FindingSort = DEFAULT_SORT): ListPlan {
  const statuses = {
    ...{ projectId, listed: true },
    reviewStatus: { $in: filter.reviewStatus ?? REVIEW_STATUSES },
    resolutionStatus: { $in: filter.resolutionStatus ?? RESOLUTION_STATUSES },
    severity: { $in: filter.severity ?? SEVERITIES },
  };
  const ranges = { ...detectedIn(filter), ...scoredFrom(filter) };
  const words = wordConditions(filter.q);
  const columns = { ...columnsOf(filter), ...(words.length === 0 ? {} : { $and: words }) };
  const facets = facetsOf(filter).map((named): Way => {
    return { index: BY_FACET, among: { projectId, 'listing.facets': { $in: named } } };
  });
  // The server merges the entries of several values only in an index without arrays.
  const narrow = facets[facetsOf(filter).findIndex(({ length }) => length === 1)];
  const inOrder =
    sort === DEFAULT_SORT && narrow !== undefined
      ? narrow
      : { index: SORTS[sort].index, among: { ...statuses, ...rangeOfOrder(sort, filter) } };
  return {
    all: { ...statuses, ...ranges, ...columns },
    ways: [...facets, ...waysOf(projectId, filter, { sort, statuses, words })],
    inOrder,
    isExact:
      inOrder !== narrow &&
      Object.keys(columns).length === 0 &&
      Object.keys(ranges).every((field) => field in inOrder.among),
    readsDocuments: words.length > 0,
  };
}

function waysOf(
  projectId: string,
  filter: ListFilter,
  { sort, statuses, words }: { sort: FindingSort; statuses: Conditions; words: Conditions[] },
): Way[] {
  const [scored, detected] = [scoredFrom(filter), detectedIn(filter)];
  const rarest = words.toSorted((one, other) => lengthOf(other) - lengthOf(one))[0];
  return [
    ...('diagnosticScore' in scored && sort !== 'diagnosticScore'
      ? [{ index: BY_SCORE, among: { ...statuses, ...scored } }]
      : []),
    ...('lastDetectedAt' in detected && sort !== DEFAULT_SORT
      ? [{ index: BY_LAST, among: { ...statuses, ...detected } }]
      : []),
    ...(rarest === undefined ? [] : [{ index: BY_WORD, among: { projectId, ...rarest } }]),
  ];
}

/** Range of the field that the order begins with. */
function rangeOfOrder(sort: FindingSort, filter: ListFilter): Conditions {
  if (sort === 'lastDetectedAt') return detectedIn(filter);
  return sort === 'diagnosticScore' ? scoredFrom(filter) : {};
}

function detectedIn({ lastDetectedAfter: from, lastDetectedBefore: to }: ListFilter): Conditions {
  if (from === undefined && to === undefined) return {};
  const range = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) };
  return { lastDetectedAt: range };
}

function scoredFrom({ minDiagnosticScore }: ListFilter): Conditions {
  return minDiagnosticScore === undefined ? {} : { diagnosticScore: { $gte: minDiagnosticScore } };
}

function columnsOf({ ruleId, categoryKey, assignee, agent, snoozed, workItem }: ListFilter): Conditions {
  return {
    ...(ruleId === undefined ? {} : { ruleId: { $in: ruleId } }),
    ...(categoryKey === undefined ? {} : { categoryKey: { $in: categoryKey } }),
    ...(assignee === undefined ? {} : { 'listing.assignee': assignee }),
    ...(agent === undefined ? {} : { 'listing.agent': agent }),
    ...(snoozed === undefined ? {} : { 'listing.snoozed': snoozed }),
    ...(workItem === undefined ? {} : { 'listing.workItem': workItem }),
  };
}

/** Facets of the filters, those that usually leave fewest first. */
function facetsOf({ ruleId, categoryKey, assignee = '', agent, snoozed, workItem = 'none' }: ListFilter): string[][] {
  return [
    ...(assignee === '' ? [] : [[FACETS.assignee(assignee)]]),
    ...(snoozed === true ? [[FACETS.snoozed]] : []),
    ...(workItem === 'none' ? [] : [[FACETS.workItem(workItem)]]),
    ...(ruleId === undefined ? [] : [ruleId.map(FACETS.ruleId)]),
    ...(agent === undefined ? [] : [[FACETS.agent(agent)]]),
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
