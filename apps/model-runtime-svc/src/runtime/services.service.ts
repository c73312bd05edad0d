import { isDeepStrictEqual } from 'node:util';
import type { ModelService, ServiceOptions } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { Holding, NodeFacts, Resource, ResourceStore, ServiceSpec } from '@clew/model-runtime';
import type { ProfileRef } from './downloads.service.ts';
import type { Model, Profile } from '../shared/index.ts';
import type { Held } from './removals.ts';
import type { ResourcesService } from './resources.service.ts';
import type { RequestOf } from './request.ts';
import { serviceView } from './views.ts';
import { createServiceSpecs } from './service-specs.ts';

export interface ServicesDependencies {
  resourcesService: ResourcesService;
  resources: ResourceStore;
  clock: Clock;
  /** Throws MODEL_NOT_FOUND or PROFILE_NOT_FOUND. */
  modelOf(projectId: string, ref: ProfileRef): Promise<{ model: Pick<Model, 'category'>; profile: Profile }>;
  /** Returns the project's artifacts of a profile, with the key that their service shares. */
  artifactOf(projectId: string, ref: ProfileRef): Promise<{ resourceId: string; key: string } | undefined>;
  requireNode(): Promise<NodeFacts>;
  /** Idle time of services that do not set their own. */
  defaultIdleTimeoutMs: number | null;
}

export type ServicesService = ReturnType<typeof createServicesService>;

export function createServicesService(deps: ServicesDependencies) {
  const { resourcesService } = deps;
  const specs = createServiceSpecs(deps);

  async function requireMemory(neededBytes: number | null): Promise<void> {
    const { memory } = await deps.requireNode();
    if (memory === null || neededBytes === null || neededBytes <= memory.availableBytes) return;
    const mib = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
    throw new AppError(
      'INSUFFICIENT_MEMORY',
      `${mib(neededBytes)} MiB of memory are needed and ${mib(memory.availableBytes)} MiB are free`,
    );
  }

  /** Whether the running service is the requested one; without options, any is. */
  function fits(current: Resource, wanted: ServiceSpec, isPlain: boolean, holdsAlone: boolean): boolean {
    const running = current.spec as ServiceSpec;
    const compared = isPlain ? optionsOf(running) : {};
    if (isDeepStrictEqual(running, { ...wanted, ...compared })) return true;
    if (holdsAlone) return false;
    throw new AppError('CONFLICT', 'The service runs with other options, and another project uses it');
  }

  async function start(request: RequestOf, ref: ProfileRef, options: ServiceOptions): Promise<Held> {
    const { projectId } = request;
    const found = await deps.modelOf(projectId, ref);
    const held = await deps.artifactOf(projectId, ref);
    if (held === undefined) throw await specs.missing(projectId, found.profile);
    const isPlain = Object.keys(options).length === 0;
    return resourcesService.acquire<ServiceSpec>({
      ...request,
      kind: 'service',
      key: held.key,
      subject: { ...ref, engine: found.profile.engine },
      spec: (tx) => specs.find(tx, { ...found, projectId, artifactId: held.resourceId, options }),
      fits: (current, wanted, holdsAlone) => fits(current, wanted, isPlain, holdsAlone),
      beforeNew: (_tx, spec) => requireMemory(spec.memoryEstimateBytes),
    });
  }

  return {
    async start(request: RequestOf, ref: ProfileRef, options: ServiceOptions = {}): Promise<ModelService> {
      const { resource, holding } = await start(request, ref, options);
      return serviceView(holding, resource);
    },

    /** Starts again, with the same options, a service that was stopped because nobody used it. */
    async wake({ projectId }: Holding, spec: ServiceSpec): Promise<void> {
      const { modelId, profileId } = spec;
      await start({ projectId, requestId: null }, { modelId, profileId }, optionsOf(spec));
    },

    /** Resolves with the record while it is being stopped, undefined when the project has nothing left of it. */
    async stop(request: RequestOf, ref: ProfileRef): Promise<ModelService | undefined> {
      const left = await resourcesService.remove({
        ...request,
        ...{ kind: 'service', subject: ref },
        requireKnown: () => deps.modelOf(request.projectId, ref),
      });
      return left === undefined ? undefined : serviceView(left.holding, left.resource);
    },
  };
}

function optionsOf({ contextLength, parallelRequests, idleTimeoutMs }: ServiceSpec) {
  return { contextLength, parallelRequests, idleTimeoutMs };
}
