export { categoryOf, hubModelId, type Model, modelSizeBytes } from './models/model.ts';
export {
  type ArtifactFile,
  type AttentionShape,
  memoryEstimateBytes,
  type Profile,
  totalSizeBytes,
} from './models/profile.ts';
export { type BodyBudgets, createBodyBudgets } from './body-budgets.ts';
export { createEngineDispatcher } from './engine-dispatcher.ts';
export { receiveForm } from './recording-form.ts';
export { abandon, type ByteSource, SourceError } from './sources/byte-source.ts';
export { createHttpClient, type HttpClient, type HttpReply } from './sources/http-client.ts';
export { createHttpSource, type Location } from './sources/http-source.ts';
export { hubAway, hubRefusal } from './sources/hub-errors.ts';
export { openHubFile } from './sources/hub-file.ts';
export { hubVariables, nodeVariables, packageVariables } from './variables.ts';
