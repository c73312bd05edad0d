import { createApi, type ServiceClient } from '@clew/http';
import type { App, Host } from '@clew/host';
import { consume, QUEUES } from '@clew/messaging';
import type { RuleDefinition } from '@clew/rules';
import { createAnalyse } from './analysis/analyse.ts';

export interface WorkerDependencies extends Pick<Host, 'broker' | 'publisher' | 'clock' | 'logger' | 'api'> {
  warehouse: ServiceClient;
  rules: readonly RuleDefinition[];
}

/** Serves health, readiness and metrics; the work comes by the queue. */
export function createWorker(deps: WorkerDependencies): App {
  const { broker, logger } = deps;
  const analyse = createAnalyse(deps);
  return {
    listener: createApi({ ...deps.api, routes: [] }),
    start: () => [consume({ broker, logger, queue: QUEUES.analysis, handle: analyse })],
  };
}
