import { ENGINE_ALIASES, EngineName, type EngineInstallation } from '@clew/contracts';
import { AppError, notFound } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { type EngineSpec, type HoldingStore, NO_MODEL } from '../resources/index.ts';
import type { ResourcesService } from './resources.service.ts';
import type { RequestOf } from './request.ts';
import { engineView } from './views.ts';

export interface EnginesDependencies {
  resourcesService: ResourcesService;
  holdings: HoldingStore;
  /** The version of each engine that is installed. */
  versions: Readonly<Record<EngineName, string>>;
  requireNode(): Promise<unknown>;
}

export type EnginesService = ReturnType<typeof createEnginesService>;

/** The engine that a path names, also by the name that the specification writes for it. */
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

  async function remove(request: RequestOf, engine: EngineName, generation?: number): Promise<EngineInstallation> {
    const resourceId = resourcesService.idOf('engine', engine);
    const before = (tx: Transaction) => requireUnused(tx, request.projectId, engine);
    const scope = generation === undefined ? {} : { generation };
    const { resource, holding } = await resourcesService.release({ ...request, ...scope, resourceId, before });
    return engineView(engine, versions[engine], holding, resource);
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
        // Another version of ours takes the place of the one that an earlier release has installed.
        fits: (current) => (current.spec as EngineSpec).version === version,
      });
      return engineView(engine, version, holding, resource);
    },
    remove: (request: RequestOf, name: string) => remove(request, engineNamed(name)),
    removeGeneration: (request: RequestOf, name: string, generation: number) =>
      remove(request, engineNamed(name), generation),
  };
}
