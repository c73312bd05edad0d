import type { App, DatabaseHost } from '@clew/host';
import { createApi, type Route, type ServiceClient } from '@clew/http';
import type { Publisher } from '@clew/messaging';
import { ENGINE_VERSIONS } from '@clew/model-runtime';
import { createIdempotencyStore } from '@clew/persistence';
import type { ModelRuntimeConfig } from './config.ts';
import { createCatalog } from './create-catalog.ts';
import { createInference } from './create-inference.ts';
import { createRuntime } from './create-runtime.ts';
import { modelRuntimeRoutes } from './edge-gate.ts';
import { NO_LOCAL_SERVICES } from './endpoint/index.ts';
import { createBodyBudgets } from './shared/index.ts';

export interface ModelRuntimeDependencies extends Pick<
  DatabaseHost<ModelRuntimeConfig>,
  'config' | 'database' | 'broker' | 'clock' | 'logger' | 'metrics' | 'info' | 'api' | 'ending' | 'cursors'
> {
  publisher: Pick<Publisher, 'publish'>;
  /** Owner of the privacy settings of projects. */
  warehouse: Pick<ServiceClient, 'call'>;
}

/** Wires the service. */
export function createModelRuntime(deps: ModelRuntimeDependencies): App {
  const { config, info } = deps;
  const bodyBudgets = createBodyBudgets({
    memoryBytes: config.MAX_INFERENCE_BYTES_IN_FLIGHT,
    diskBytes: config.MAX_INFERENCE_SPOOL_BYTES,
  });
  const catalog = createCatalog(deps);
  const runtime = createRuntime({
    ...deps,
    bodyBudgets,
    findModel: catalog.models.find,
    authorizeGated: catalog.authorizeGated,
    versions: ENGINE_VERSIONS,
  });
  const { snapshot, installedModelIds } = runtime.snapshots;
  const ofCatalog = catalog.routesWith({ snapshot, installedModelIds });
  const localServices = info.deploymentTarget === 'server' ? runtime.running : NO_LOCAL_SERVICES;
  const inference = createInference({ ...deps, localServices, bodyBudgets });
  // Named paths below `models` come before those that take any id.
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
