export { comparisonCollection, comparisonModel } from './comparison.model.ts';
export { createComparisonStore, type ComparisonStore } from './comparisons.store.ts';
export { createComparisons } from './create-comparisons.ts';
