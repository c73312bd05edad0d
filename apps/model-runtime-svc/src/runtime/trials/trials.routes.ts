import { runTrial, STREAMED } from '@clew/contracts';
import { route, type Route } from '@clew/http';
import type { TrialsService } from './trials.service.ts';

export function trialRoutes(trials: TrialsService): Route[] {
  return [
    route(runTrial, async ({ params }, context) => {
      await trials.serve(params.projectId, params, context);
      return STREAMED;
    }),
  ];
}
