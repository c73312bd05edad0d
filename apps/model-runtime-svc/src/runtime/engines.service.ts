import { ENGINE_ALIASES, EngineName, type EngineInstallation } from '@clew/contracts';
import { AppError, notFound } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { type EngineSpec, type HoldingStore, NO_MODEL } from '@clew/model-runtime';
import type { ResourcesService } from './resources.service.ts';
import type { RequestOf } from './request.ts';
import { engineView } from './views.ts';

export interface EnginesDependencies {
  resourcesService: ResourcesService;
  holdings: HoldingStore;
  /** Version of each engine to install. */
  versions: Readonly<Record<EngineName, string>>;
  requireNode(): Promise<unknown>;
}

export type EnginesService = ReturnType<typeof createEnginesService>;

/** Engine that a path names; the aliases of the specification are accepted too. */
export function engineNamed(name: string): EngineName {
  const engine = EngineName.safeParse(Object.hasOwn(ENGINE_ALIASES, name) ? ENGINE_ALIASES[name] : name);
  if (!engine.success) throw notFound('ENGINE_NOT_FOUND', `The engines are ${EngineName.options.join(', ')}`);
  return engine.data;
}

export function createEnginesService({ resourcesService, holdings, versions, requireNode }: EnginesDependencies) {
  /** An engine stays while one of the project's own services runs on it. */
  async function requireUnused(tx: Transaction, projectId: string, engine: EngineName): Promise<void> {
    if (await holdings.holdsServiceOn(tx, projectId, resourcesService.node, engine)) {
      throw new AppError('CONFLICT', 'A service of the project runs on this engine: stop it first');
    }
  }

  async function remove(request: RequestOf, engine: EngineName, generation?: number) {
    const left = await resourcesService.remove({
      ...request,
      ...{ kind: 'engine', key: engine, subject: NO_MODEL },
      ...(generation === undefined ? {} : { generation }),
      before: (tx) => requireUnused(tx, request.projectId, engine),
    });
    return left === undefined ? undefined : engineView(engine, versions[engine], left.holding, left.resource);
  }

  return {
    async install(request: RequestOf, name: string): Promise<EngineInstallation> {
      const engine = engineNamed(name);
      await requireNode();
      const version = versions[engine];
      const { resource, holding } = await resourcesService.acquire<EngineSpec>({
        ...request,
        kind: 'engine',
        key: engine,
        subject: NO_MODEL,
        spec: { engine, version },
        // Another version of ours replaces the one that an earlier release has installed.
        fits: (current) => (current.spec as EngineSpec).version === version,
      });
      return engineView(engine, version, holding, resource);
    },
    /** Resolves with the record while it is being removed, undefined when the project has nothing left of it. */
    remove: (request: RequestOf, name: string): Promise<EngineInstallation | undefined> =>
      remove(request, engineNamed(name)),
    /** Removes one installation in the same way. */
    removeGeneration: (request: RequestOf, name: string, generation: number): Promise<EngineInstallation | undefined> =>
      remove(request, engineNamed(name), generation),
  };
}
