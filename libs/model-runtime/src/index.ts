export { DATABASE_MIGRATIONS } from './database-migrations.ts';
export { ENGINE_VERSIONS } from './engine-versions.ts';
export {
  createHubTokenStore,
  HUB_TOKENS_COLLECTION,
  hubTokenModel,
  hubTokenPlace,
  type HubTokenStore,
} from './hub-tokens/hub-token.store.ts';
export {
  artifactKey,
  type ArtifactOutcome,
  type ArtifactSpec,
  AWAY_AFTER_MS,
  contextLengthOf,
  createEngineKeys,
  createHoldingStore,
  createNodeStore,
  createResourceStore,
  DEFAULT_PARALLEL_REQUESTS,
  type Desired,
  type EngineKeys,
  type EngineOutcome,
  type EngineSpec,
  type Fence,
  generationModel,
  type Holding,
  holdingModel,
  type HoldingState,
  type HoldingStore,
  incarnate,
  isBeingRemoved,
  isContentOf,
  isCurrent,
  NO_MODEL,
  type NodeFacts,
  nodeModel,
  type NodeStore,
  type ProbeTime,
  type Progress,
  type ProgressReport,
  type Resource,
  type ResourceDocument,
  type ResourceKind,
  resourceModel,
  type ResourceStore,
  type Retry,
  type ServiceOutcome,
  type ServiceSpec,
  type Subject,
  subjectId,
  totalSizeBytes,
} from './resources/index.ts';
export { abandon, type ByteSource, SourceError } from './sources/byte-source.ts';
export { createHttpClient, type HttpClient, type HttpReply } from './sources/http-client.ts';
export { createHttpSource, type Location } from './sources/http-source.ts';
export { hubAway, hubRefusal } from './sources/hub-errors.ts';
export { openHubFile } from './sources/hub-file.ts';
export { hubVariables, nodeVariables } from './variables.ts';
