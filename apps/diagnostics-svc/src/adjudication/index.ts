export { adjudicationModel, budgetModel, verdictModel } from './adjudication.model.ts';
export { adjudicationCollection, verdictCollection } from './adjudication.model.ts';
export type { ConfigurationsOf } from './ask-judges.ts';
export { createAdjudication, type Adjudication } from './create-adjudication.ts';
