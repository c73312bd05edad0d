export { artifactKey, type ArtifactOutcome, type ArtifactSpec, isContentOf, totalSizeBytes } from './artifact.ts';
export { createEngineKeys, type EngineKeys } from './engine-key.ts';
export type { EngineOutcome, EngineSpec } from './engine.ts';
export { type Holding, type HoldingState, NO_MODEL, type Subject, subjectId } from './holding.ts';
export { createHoldingStore, type HoldingStore } from './holdings.store.ts';
export { AWAY_AFTER_MS, createNodeStore, type NodeFacts, nodeModel, type NodeStore } from './node.model.ts';
export { generationModel, holdingModel, type ResourceDocument, resourceModel } from './resource.model.ts';
export {
  type Desired,
  incarnate,
  isBeingRemoved,
  isCurrent,
  type ProbeTime,
  type Progress,
  type Resource,
  type ResourceKind,
  type Retry,
} from './resource.ts';
export { createResourceStore, type Fence, type ProgressReport, type ResourceStore } from './resources.store.ts';
export { contextLengthOf, DEFAULT_PARALLEL_REQUESTS, type ServiceOutcome, type ServiceSpec } from './service.ts';
