export { categoryOf, hubModelId, type Model, modelSizeBytes } from './models/model.ts';
export { type ArtifactFile, type AttentionShape, memoryEstimateBytes, type Profile } from './models/profile.ts';
export { type BodyBudgets, createBodyBudgets } from './body-budgets.ts';
export { createEngineDispatcher } from './engine-dispatcher.ts';
export { receiveForm } from './recording-form.ts';
