import { createAnalysisRuns, getDiagnosticFigures } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import { rulesUnavailable } from '../rules/index.ts';
import type { AnalysesService } from './analyses.service.ts';
import type { AnalysisStore } from './analyses.store.ts';

/** `analyses` is undefined where the rule service is not mounted. */
export function analysisRunRoutes(analyses: AnalysesService | undefined): Route[] {
  return [
    route(createAnalysisRuns, async ({ params, body }, { requestId }) => {
      if (analyses === undefined) throw rulesUnavailable();
      const { conversationId, lastActivityAt, traceIds } = body;
      const { projectId } = params;
      return answer(202, await analyses.request({ projectId, conversationId, lastActivityAt, traceIds, requestId }));
    }),
  ];
}

/** What operators are told of analyses. */
export function diagnosticFigureRoutes(analyses: Pick<AnalysisStore, 'queued'>, clock: Clock): Route[] {
  return [
    route(getDiagnosticFigures, async () =>
      answer(200, { analyses: { ...(await analyses.queued(clock.now())), givenUp: 0 } }),
    ),
  ];
}
