import type { RequestListener } from 'node:http';
import { ENGINES, type EngineName } from '@clew/contracts';
import { createApi, operationsRouter, type Authenticate, type Route } from '@clew/http';
import { createCursorCodec, deriveSecret, type Clock } from '@clew/kernel';
import type { Broker, Consumer, Publisher } from '@clew/messaging';
import { createIdempotencyStore, type Database } from '@clew/persistence';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo, Stoppable } from '@clew/runtime';
import type { ModelRuntimeConfig } from './config.ts';
import { createCatalog } from './create-catalog.ts';
import { createInference } from './create-inference.ts';
import { createRuntime } from './create-runtime.ts';
import { modelRuntimeRoutes } from './edge-gate.ts';
import { createDrivers, type EngineDrivers } from './agent/index.ts';
import { NO_LOCAL_SERVICES } from './endpoint/index.ts';

export interface ModelRuntimeDependencies {
  config: ModelRuntimeConfig;
  database: Database;
  broker: Broker;
  publisher: Pick<Publisher, 'publish'>;
  authenticate: Authenticate;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  info: ServiceInfo;
  readiness: Readiness;
}

export interface ModelRuntime {
  listener: RequestListener;
  /** Begins to take messages. */
  startConsumers(): readonly Consumer[];
  /** Begins what goes on by itself; to be stopped in this order, after the server. */
  start(): readonly Stoppable[];
}

/** Wires the API role; it does not listen yet. */
export function createModelRuntime(deps: ModelRuntimeDependencies): ModelRuntime {
  const { config, logger, metrics, info } = deps;
  const cursors = createCursorCodec(deriveSecret(config.AUTH_SECRET, 'cursor/v1'));
  const catalog = createCatalog({ ...deps, cursors });
  const runtime = createRuntime({
    ...deps,
    findModel: catalog.models.find,
    authorizeGated: catalog.authorizeGated,
    versions: versionsOf(createDrivers({})),
  });
  const { snapshot, installedModelIds } = runtime.snapshots;
  const ofCatalog = catalog.routesWith({ snapshot, installedModelIds });
  const localServices = info.deploymentTarget === 'server' ? runtime.running : NO_LOCAL_SERVICES;
  const inference = createInference({ ...deps, cursors, localServices });
  // The named paths below `models` come before those that take any id.
  const runtimeRoutes: readonly Route[] = [...ofCatalog.named, ...runtime.routes, ...ofCatalog.byModel];
  return {
    listener: createApi({
      authenticate: deps.authenticate,
      logger,
      metrics,
      operations: [operationsRouter(deps)],
      idempotency: createIdempotencyStore(deps.database),
      routes: [...inference.routes, ...modelRuntimeRoutes(info.deploymentTarget, runtimeRoutes)],
    }),
    startConsumers: inference.startConsumers,
    start: () => [...inference.start(), catalog.connections],
  };
}

function versionsOf(drivers: EngineDrivers): Record<EngineName, string> {
  const versions = ENGINES.map((engine) => [engine, drivers[engine].version]);
  return Object.fromEntries(versions) as Record<EngineName, string>;
}
