import { runTrial } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { TrialsService } from './trials.service.ts';

export function trialRoutes(trials: TrialsService): Route[] {
  return [
    route(runTrial, async ({ params }, context) => {
      await trials.serve(params.projectId, params, context);
      // What the engine has answered is on its way.
      return answer(200, {});
    }),
  ];
}
