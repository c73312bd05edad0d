import { ENGINES, type EngineName } from '@clew/contracts';
import type { App, DatabaseHost } from '@clew/host';
import { createApi, type Route } from '@clew/http';
import type { Publisher } from '@clew/messaging';
import { createIdempotencyStore } from '@clew/persistence';
import type { ModelRuntimeConfig } from './config.ts';
import { createCatalog } from './create-catalog.ts';
import { createInference } from './create-inference.ts';
import { createRuntime } from './create-runtime.ts';
import { modelRuntimeRoutes } from './edge-gate.ts';
import { createDrivers, type EngineDrivers } from './agent/index.ts';
import { NO_LOCAL_SERVICES } from './endpoint/index.ts';

export interface ModelRuntimeDependencies extends Pick<
  DatabaseHost<ModelRuntimeConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'metrics' | 'info' | 'api' | 'cursors'
> {
  publisher: Pick<Publisher, 'publish'>;
}

/** Wires the API role. */
export function createModelRuntime(deps: ModelRuntimeDependencies): App {
  const { info } = deps;
  const catalog = createCatalog(deps);
  const runtime = createRuntime({
    ...deps,
    findModel: catalog.models.find,
    authorizeGated: catalog.authorizeGated,
    versions: versionsOf(createDrivers({})),
  });
  const { snapshot, installedModelIds } = runtime.snapshots;
  const ofCatalog = catalog.routesWith({ snapshot, installedModelIds });
  const localServices = info.deploymentTarget === 'server' ? runtime.running : NO_LOCAL_SERVICES;
  const inference = createInference({ ...deps, localServices });
  // The named paths below `models` come before those that take any id.
  const runtimeRoutes: readonly Route[] = [...ofCatalog.named, ...runtime.routes, ...ofCatalog.byModel];
  return {
    listener: createApi({
      ...deps.api,
      idempotency: createIdempotencyStore(deps.database, deps.config.AUTH_SECRET),
      routes: [
        ...inference.routes,
        ...modelRuntimeRoutes(info.deploymentTarget, runtimeRoutes),
        ...runtime.erasureRoutes,
      ],
    }),
    start: () => [...inference.start(), catalog.connections],
  };
}

function versionsOf(drivers: EngineDrivers): Record<EngineName, string> {
  const versions = ENGINES.map((engine) => [engine, drivers[engine].version]);
  return Object.fromEntries(versions) as Record<EngineName, string>;
}
