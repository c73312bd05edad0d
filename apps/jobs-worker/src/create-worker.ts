import { createApi, type ServiceClient } from '@clew/http';
import type { App, Host } from '@clew/host';
import type { InferenceClient } from '@clew/inference';
import { consume, QUEUES } from '@clew/messaging';
import type { RuleDefinition } from '@clew/rules';
import { createAdjudicate } from './adjudication/adjudicate.ts';
import { createAnalyse } from './analysis/analyse.ts';
import { commandOfV1 } from './analysis/command.ts';
import { createExtract } from './extraction/extract.ts';

export interface WorkerDependencies extends Pick<
  Host,
  'broker' | 'publisher' | 'clock' | 'logger' | 'api' | 'drainMs'
> {
  warehouse: ServiceClient;
  inference: InferenceClient;
  rules: readonly RuleDefinition[];
}

/** Serves health, readiness and metrics; the work comes by the queue. */
export function createWorker(deps: WorkerDependencies): App {
  // An answer that a model has thought over for minutes is not given up for want of seconds.
  const taking = { broker: deps.broker, logger: deps.logger, drainTimeoutMs: deps.drainMs };
  const analyse = createAnalyse(deps);
  return {
    listener: createApi({ ...deps.api, routes: [] }),
    start: () => [
      consume({ ...taking, queue: QUEUES.analysis, handle: analyse }),
      consume({ ...taking, queue: QUEUES.adjudication, handle: createAdjudicate(deps) }),
      consume({ ...taking, queue: QUEUES.extraction, handle: createExtract(deps) }),
      consume({
        ...{ ...taking, queue: QUEUES.analysisV1 },
        handle: (command, context) => analyse(commandOfV1(command), context),
      }),
    ],
  };
}
