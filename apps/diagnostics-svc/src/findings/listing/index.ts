export { countList } from './count-list.ts';
export { DEFAULT_SORT, SORTS } from './finding-order.ts';
export { planOf, type ListPlan } from './list-plan.ts';
export { listingRowOf, wordsOf } from './listing-row.ts';
export { NOT_SHOWN, readList } from './read-list.ts';
export { rememberedCounts } from './remembered-counts.ts';
