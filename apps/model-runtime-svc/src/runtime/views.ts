import type {
  DownloadState,
  EngineInstallation,
  EngineName,
  EngineState,
  ModelDownload,
  ModelService,
  ServiceState,
} from '@clew/contracts';
import {
  isBeingRemoved,
  type ArtifactOutcome,
  type ArtifactSpec,
  type Holding,
  type HoldingState,
  type Resource,
  type ServiceSpec,
  totalSizeBytes,
} from '@clew/model-runtime';

function engineState(holding: HoldingState, resource: Resource): EngineState {
  if (!holding.held) return isBeingRemoved(resource, holding.generation) ? 'removing' : 'not_installed';
  switch (resource.state) {
    case 'queued':
      return 'queued';
    case 'working':
      return 'installing';
    case 'ready':
      return 'ready';
    case 'failed':
      return 'failed';
    default:
      return 'not_installed';
  }
}

/** Engine as a project sees it; holdings of other projects are not shown. */
export function engineView(
  engine: EngineName,
  version: string,
  holding?: HoldingState,
  resource?: Resource,
): EngineInstallation {
  if (holding === undefined || resource === undefined) {
    const never = { generation: null, message: null, error: null, updatedAt: null };
    return { engine, version, state: 'not_installed', ...never };
  }
  const state = engineState(holding, resource);
  const isShown = holding.held;
  return {
    engine,
    state,
    generation: holding.held ? resource.generation : holding.generation,
    version,
    message: isShown ? resource.stage : null,
    error: isShown && state === 'failed' ? resource.error : null,
    updatedAt: isShown ? resource.updatedAt : holding.updatedAt,
  };
}

function downloadState(holding: HoldingState, resource: Resource): DownloadState {
  if (!holding.held) return holding.endedAs === 'complete' ? 'removing' : 'cancelled';
  switch (resource.state) {
    case 'queued':
      return 'queued';
    case 'working':
      return resource.stage === 'verifying' ? 'verifying' : 'running';
    case 'ready':
      return 'completed';
    case 'failed':
      return 'failed';
    default:
      return 'cancelled';
  }
}

export function downloadView(holding: HoldingState, resource: Resource): ModelDownload {
  const { profile } = resource.spec as ArtifactSpec;
  const state = downloadState(holding, resource);
  const done = resource.outcome as ArtifactOutcome | null;
  const total = resource.progress?.bytesTotal ?? done?.sizeBytes ?? totalSizeBytes(profile.files);
  return {
    modelId: profile.modelId,
    profileId: profile.id,
    state,
    generation: holding.held ? resource.generation : holding.generation,
    bytesDone: state === 'completed' ? (done?.sizeBytes ?? 0) : (resource.progress?.bytesDone ?? 0),
    bytesTotal: state === 'completed' ? (done?.sizeBytes ?? total) : total,
    error: state === 'failed' ? resource.error : null,
    createdAt: holding.createdAt,
    updatedAt: holding.held ? resource.updatedAt : holding.updatedAt,
  };
}

function serviceState(holding: HoldingState, resource: Resource): ServiceState {
  if (!holding.held) return isBeingRemoved(resource, holding.generation) ? 'stopping' : 'stopped';
  switch (resource.state) {
    case 'queued':
    case 'working':
      return 'starting';
    case 'ready':
      return 'ready';
    case 'failed':
      return 'failed';
    case 'removing':
      return 'stopping';
    case 'removed':
      return 'stopped';
  }
}

export function serviceView(holding: HoldingState, resource: Resource): ModelService {
  const spec = resource.spec as ServiceSpec;
  const state = serviceState(holding, resource);
  return {
    modelId: spec.modelId,
    profileId: spec.profileId,
    engine: spec.engine,
    model: `self/${spec.modelId}`,
    state,
    generation: holding.held ? resource.generation : holding.generation,
    stopReason: holding.held ? resource.stopReason : 'requested',
    error: state === 'failed' || state === 'starting' ? resource.error : null,
    failureCount: holding.held ? resource.failureCount : 0,
    nextAttemptAt: state === 'failed' ? resource.nextAttemptAt : null,
    createdAt: holding.createdAt,
    updatedAt: holding.held ? resource.updatedAt : holding.updatedAt,
  };
}

/** Whether a download that was given back is still shown; a complete one is simply gone. */
export function isShownDownload(holding: Holding): boolean {
  return holding.held || holding.endedAs === 'incomplete';
}
