import type { RequestListener } from 'node:http';
import { createApi, operationsRouter, type ServiceClient } from '@clew/http';
import type { Clock } from '@clew/kernel';
import { consume, QUEUES, type Broker, type Consumer, type Publisher } from '@clew/messaging';
import type { RuleDefinition } from '@clew/rules';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo } from '@clew/runtime';
import { createAnalyse } from './analysis/analyse.ts';
import type { WorkerConfig } from './config.ts';

export interface WorkerDependencies {
  config: Pick<WorkerConfig, 'MAX_BEAT_AGE_MS'>;
  broker: Broker;
  publisher: Publisher;
  warehouse: ServiceClient;
  rules: readonly RuleDefinition[];
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  info: ServiceInfo;
  readiness: Readiness;
}

export interface Worker {
  /** Serves health, readiness and metrics; the work comes by the queue. */
  listener: RequestListener;
  startConsumers(): readonly Consumer[];
}

const MAX_CHECK_INTERVAL_MS = 15_000;

export function createWorker(deps: WorkerDependencies): Worker {
  const { config, broker, logger, metrics } = deps;
  const analyse = createAnalyse(deps);
  // A consumer that is idle shows itself several times within the age at which it is taken for stuck.
  const checkIntervalMs = Math.min(MAX_CHECK_INTERVAL_MS, config.MAX_BEAT_AGE_MS / 4);
  let consumers: readonly Consumer[] = [];
  const isAlive = () => consumers.every((consumer) => consumer.beatAgeMs() < config.MAX_BEAT_AGE_MS);
  return {
    listener: createApi({
      // It serves nobody but probes, who need no identity.
      authenticate: () => undefined,
      logger,
      metrics,
      operations: [operationsRouter({ ...deps, plainText: true, isAlive })],
      routes: [],
    }),
    startConsumers() {
      consumers = [consume({ broker, queue: QUEUES.analysis, logger, checkIntervalMs, handle: analyse })];
      return consumers;
    },
  };
}
