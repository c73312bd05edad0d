import type { RequestListener } from 'node:http';
import { createApi, operationsRouter, type Authenticate, type Route } from '@clew/http';
import { createCursorCodec, deriveSecret, type Clock } from '@clew/kernel';
import type { Broker, Consumer, Publisher } from '@clew/messaging';
import type { Database } from '@clew/persistence';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo, Stoppable } from '@clew/runtime';
import type { ModelRuntimeConfig } from './config.ts';
import { createInference } from './create-inference.ts';
import { modelRuntimeRoutes } from './edge-gate.ts';
import { NO_LOCAL_SERVICES } from './inference/local-services.ts';

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
  const inference = createInference({ ...deps, cursors, localServices: NO_LOCAL_SERVICES });
  const runtimeRoutes: readonly Route[] = [];
  return {
    listener: createApi({
      authenticate: deps.authenticate,
      logger,
      metrics,
      operations: [operationsRouter(deps)],
      // The named paths below `models` come before those that take any id.
      routes: [...inference.routes, ...modelRuntimeRoutes(info.deploymentTarget, runtimeRoutes)],
    }),
    startConsumers: () => [],
    start: () => inference.start(),
  };
}
