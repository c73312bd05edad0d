import { createApi, type ServiceClient } from '@clew/http';
import type { App, Host } from '@clew/host';
import type { InferenceClient } from '@clew/inference';
import { consume, MODEL_PLACES, QUEUES, SHARES } from '@clew/messaging';
import type { RuleDefinition } from '@clew/rules';
import { createAdjudicate } from './adjudication/adjudicate.ts';
import { createAnalyse } from './analysis/analyse.ts';
import { createCollect } from './collection/collect.ts';
import { createSynthesize } from './collection/synthesize.ts';
import { createExtract } from './extraction/extract.ts';
import { createModelPlaces } from './model-places.ts';
import { createRecentSuccesses } from './recent-successes.ts';
import { createCompareKinds } from './review/compare-kinds.ts';
import { createReview } from './review/review.ts';

export interface WorkerDependencies extends Pick<
  Host,
  'broker' | 'publisher' | 'clock' | 'logger' | 'api' | 'drainMs'
> {
  warehouse: ServiceClient;
  diagnostics: ServiceClient;
  knowledge: ServiceClient;
  inference: InferenceClient;
  rules: readonly RuleDefinition[];
}

/** Places of a queue that one project, or one provider, may hold at a time. */
export const PLACES_OF_PROJECT = MODEL_PLACES / SHARES;

/** Serves health, readiness and metrics; its work arrives through queues. */
export function createWorker(deps: WorkerDependencies): App {
  // A shutdown waits as long as the longest call: an answer that took a model minutes is not lost for a few seconds.
  const taking = { broker: deps.broker, logger: deps.logger, drainTimeoutMs: deps.drainMs };
  const recent = createRecentSuccesses();
  const analyse = createAnalyse({ ...deps, recent });
  const collect = createCollect({ ...deps, recent });
  const inPlace = () => createModelPlaces({ places: MODEL_PLACES, share: PLACES_OF_PROJECT });
  const adjudicate = createAdjudicate({ ...deps, inPlace: inPlace() });
  const review = createReview({ ...deps, inPlace: inPlace() });
  const compareKinds = createCompareKinds({ ...deps, inPlace: inPlace() });
  const synthesize = createSynthesize({ ...deps, inPlace: inPlace() });
  const extract = createExtract({ ...deps, inPlace: inPlace() });
  return {
    listener: createApi({ ...deps.api, routes: [] }),
    start: () => [
      consume({ ...taking, queue: QUEUES.analysis, handle: analyse }),
      consume({ ...taking, queue: QUEUES.collection, handle: collect }),
      consume({ ...taking, queue: QUEUES.adjudication, handle: adjudicate }),
      consume({ ...taking, queue: QUEUES.review, handle: review }),
      consume({ ...taking, queue: QUEUES.kindComparison, handle: compareKinds }),
      consume({ ...taking, queue: QUEUES.synthesis, handle: synthesize }),
      consume({ ...taking, queue: QUEUES.extraction, handle: extract }),
    ],
  };
}
