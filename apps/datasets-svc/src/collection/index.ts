export { catchUpCollection, catchUpModel } from './catch-up.model.ts';
export { createCollection, type Collection } from './create-collection.ts';
export { decisionCollection, decisionModel } from './decision.model.ts';
export { reviewModel } from './reviews.ts';
export { synthesisBudgetModel, synthesisCollection, synthesisModel } from './synthesis.model.ts';
