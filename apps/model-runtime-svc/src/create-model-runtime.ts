import type { RequestListener } from 'node:http';
import { createApi, operationsRouter, type Authenticate, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { Broker, Consumer } from '@clew/messaging';
import type { Database } from '@clew/persistence';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo } from '@clew/runtime';
import type { ModelRuntimeConfig } from './config.ts';
import { modelRuntimeRoutes } from './edge-gate.ts';

export interface ModelRuntimeDependencies {
  config: ModelRuntimeConfig;
  database: Database;
  broker: Broker;
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
}

/** Wires the API role; it does not listen yet. */
export function createModelRuntime(deps: ModelRuntimeDependencies): ModelRuntime {
  const { logger, metrics, info } = deps;
  const runtimeRoutes: readonly Route[] = [];
  return {
    listener: createApi({
      authenticate: deps.authenticate,
      logger,
      metrics,
      operations: [operationsRouter(deps)],
      routes: [...modelRuntimeRoutes(info.deploymentTarget, runtimeRoutes)],
    }),
    startConsumers: () => [],
  };
}
