export { createModelAvailabilities, type ModelAvailabilities, type ModelAvailability } from './model-availability.ts';
export { createNamedModels, type NamedModels } from './named-models.ts';
