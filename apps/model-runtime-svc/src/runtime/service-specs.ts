import type { EngineName, ServiceOptions } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { contextLengthOf, DEFAULT_PARALLEL_REQUESTS, type ResourceStore, type ServiceSpec } from '@clew/model-runtime';
import type { Model, Profile } from '../shared/index.ts';
import type { ResourcesService } from './resources.service.ts';

export interface ServiceSpecsDependencies {
  resourcesService: Pick<ResourcesService, 'held' | 'idOf'>;
  resources: Pick<ResourceStore, 'pin'>;
  clock: Clock;
  /** Idle time of services that do not set their own. */
  defaultIdleTimeoutMs: number | null;
}

export interface SpecRequest {
  projectId: string;
  model: Pick<Model, 'category'>;
  profile: Profile;
  artifactId: string;
  options: ServiceOptions;
}

/** Finds the specification with which a service is to be started. */
export function createServiceSpecs({ resourcesService, resources, clock, ...deps }: ServiceSpecsDependencies) {
  const engineOf = (projectId: string, engine: EngineName, tx?: Transaction) =>
    resourcesService.held(projectId, resourcesService.idOf('engine', engine), tx);

  return {
    /** Pins the engine and the artifact in the transaction, so that they are not given back at the same time. */
    async find(tx: Transaction, { projectId, model, profile, artifactId, options }: SpecRequest): Promise<ServiceSpec> {
      const engine = await engineOf(projectId, profile.engine, tx);
      if (engine?.resource.state !== 'ready') throw notInstalled(profile.engine);
      const artifact = await resourcesService.held(projectId, artifactId, tx);
      if (artifact?.resource.state !== 'ready') throw notDownloaded();
      await resources.pin(tx, engine.resource.id, clock.now());
      await resources.pin(tx, artifact.resource.id, clock.now());
      return {
        engine: profile.engine,
        ...{ engineId: engine.resource.id, engineGeneration: engine.resource.generation },
        ...{ artifactId: artifact.resource.id, artifactGeneration: artifact.resource.generation },
        ...{ modelId: profile.modelId, profileId: profile.id, category: model.category },
        memoryEstimateBytes: profile.memoryEstimateBytes,
        contextLength: contextLengthOf(profile, options.contextLength),
        parallelRequests: options.parallelRequests ?? DEFAULT_PARALLEL_REQUESTS,
        idleTimeoutMs: options.idleTimeoutMs === undefined ? deps.defaultIdleTimeoutMs : options.idleTimeoutMs,
      };
    },

    /** Error for a profile whose artifacts the project does not have; a missing engine is reported first. */
    async missing(projectId: string, { engine }: Profile): Promise<AppError> {
      const installed = await engineOf(projectId, engine);
      return installed?.resource.state === 'ready' ? notDownloaded() : notInstalled(engine);
    },
  };
}

function notInstalled(engine: EngineName): AppError {
  return new AppError('ENGINE_NOT_INSTALLED', `The engine ${engine} is not installed: install it first`);
}

function notDownloaded(): AppError {
  return new AppError(
    'ARTIFACT_NOT_DOWNLOADED',
    'The artifacts of the profile are not downloaded: download them first',
  );
}
