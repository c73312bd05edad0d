export { createAskComparisons } from './ask-comparisons.ts';
export { comparisonCollection, comparisonModel } from './comparison.model.ts';
export { createComparisonStore, type ComparisonStore } from './comparisons.store.ts';
export { createEndGivenUpComparisons, createTakeComparisons } from './take-comparisons.ts';
