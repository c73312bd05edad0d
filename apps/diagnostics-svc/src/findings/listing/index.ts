export { countList } from './count-list.ts';
export { BY_LAST, DEFAULT_SORT, LIST_INDEXES, SORTS } from './finding-order.ts';
export { planOf, type ListFilter, type ListPlan } from './list-plan.ts';
export { FACETS, listingRowOf, wordsOf, type ListingRow } from './listing-row.ts';
export { MAX_FEW, MAX_LOOKED_AT, readFew, readList } from './read-list.ts';
