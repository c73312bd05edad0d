import { createAnalysisRuns } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { rulesUnavailable, type RunsService } from './runs.service.ts';

/** `runs` is undefined where the rule service is not mounted. */
export function runRoutes(runs: RunsService | undefined): Route[] {
  return [
    route(createAnalysisRuns, async ({ params, body }, { requestId }) => {
      if (runs === undefined) throw rulesUnavailable();
      const { conversationId, lastActivityAt, traceIds } = body;
      const { projectId } = params;
      return answer(202, await runs.request({ projectId, conversationId, lastActivityAt, traceIds, requestId }));
    }),
  ];
}
