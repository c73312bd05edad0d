export { createCollection } from './create-collection.ts';
export { decisionCollection, decisionModel } from './decision.model.ts';
export { createDecisionStore, type DecisionStore } from './decisions.store.ts';
