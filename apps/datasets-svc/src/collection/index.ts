export { catchUpCollection, catchUpModel } from './catch-up.model.ts';
export { createCollection, type Collection } from './create-collection.ts';
export { decisionCollection, decisionModel } from './decision.model.ts';
export { createDecisionStore, type DecisionStore } from './decisions.store.ts';
export { createSynthesisStore, type SynthesisStore } from './syntheses.store.ts';
export { synthesisBudgetModel, synthesisCollection, synthesisModel } from './synthesis.model.ts';
