import type { FindingSort } from '@clew/contracts';
import type { KeysetSort } from '@clew/persistence';

/** Fields of a list in front of its order. */
const LISTED = { projectId: 1, listed: 1 } as const;
/** Fields behind the order, so that filters on them are decided by the index alone. */
const COLUMNS: Readonly<Record<string, 1>> = {
  ...{ reviewStatus: 1, resolutionStatus: 1, severity: 1, ruleId: 1, categoryKey: 1 },
  ...{ 'listing.assignee': 1, 'listing.agent': 1, 'listing.workItem': 1, 'listing.snoozed': 1 },
};

type IndexKey = Readonly<Record<string, 1 | -1>>;

/** Index of the list: its name, by which queries name it, and its key. */
export interface ListIndex {
  name: string;
  key: IndexKey;
}

export const BY_LAST: ListIndex = {
  name: 'latest_first',
  key: {
    ...{ ...LISTED, lastDetectedAt: -1, _id: -1, ...COLUMNS },
    ...{ diagnosticScore: 1, occurrenceCount: 1, firstDetectedAt: 1 },
  },
};
export const BY_SCORE: ListIndex = {
  name: 'highest_score_first',
  key: {
    ...{ ...LISTED, diagnosticScore: -1, lastDetectedAt: -1, _id: -1, ...COLUMNS },
    ...{ occurrenceCount: 1, firstDetectedAt: 1 },
  },
};
const BY_COUNT: ListIndex = {
  name: 'most_occurrences_first',
  key: { ...LISTED, occurrenceCount: -1, lastDetectedAt: -1, _id: -1, ...COLUMNS, diagnosticScore: 1 },
};
const BY_FIRST: ListIndex = {
  name: 'newest_first',
  key: { ...LISTED, firstDetectedAt: -1, _id: -1, ...COLUMNS, diagnosticScore: 1, lastDetectedAt: 1 },
};
/** Finds Findings by a value that few have, in the default order. */
export const BY_FACET: ListIndex = {
  name: 'by_facet',
  key: {
    ...{ projectId: 1, 'listing.facets': 1, lastDetectedAt: -1, _id: -1 },
    ...{ listed: 1, ...COLUMNS },
    ...{ diagnosticScore: 1, occurrenceCount: 1, firstDetectedAt: 1 },
  },
};
export const BY_WORD: ListIndex = { name: 'by_title_word', key: { projectId: 1, titleWords: 1 } };
export const LIST_INDEXES = [BY_LAST, BY_SCORE, BY_COUNT, BY_FIRST, BY_FACET, BY_WORD];

export const DEFAULT_SORT: FindingSort = 'lastDetectedAt';

const ID = ['_id', -1] as const;
const LAST = ['lastDetectedAt', -1] as const;

/** Order of each sort, and the index that has it. */
export const SORTS: Readonly<Record<FindingSort, { order: KeysetSort; index: ListIndex }>> = {
  lastDetectedAt: { order: [LAST, ID], index: BY_LAST },
  diagnosticScore: { order: [['diagnosticScore', -1], LAST, ID], index: BY_SCORE },
  occurrenceCount: { order: [['occurrenceCount', -1], LAST, ID], index: BY_COUNT },
  firstDetectedAt: { order: [['firstDetectedAt', -1], ID], index: BY_FIRST },
};
