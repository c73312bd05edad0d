import {
  createAnalysisRuns,
  getAnalysisRuns,
  getDiagnosticFigures,
  listAnalysisRuns,
  type SignalFigures,
} from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import { rulesUnavailable } from '../rules/index.ts';
import type { AnalysesService } from './analyses.service.ts';
import type { AnalysisStore } from './analyses.store.ts';

/** Routes for analysis runs; `analyses` is undefined if the rule service is not mounted. */
export function analysisRunRoutes(analyses: AnalysesService | undefined): Route[] {
  const mounted = () => {
    if (analyses === undefined) throw rulesUnavailable();
    return analyses;
  };
  return [
    route(listAnalysisRuns, async ({ params, query }) => answer(200, await mounted().list(params.projectId, query))),
    route(getAnalysisRuns, async ({ params }) => answer(200, await mounted().get(params.projectId, params.analysisId))),
    route(createAnalysisRuns, async ({ params, body }, { requestId }) => {
      const { conversationId, lastActivityAt, traceIds } = body;
      const { projectId } = params;
      return answer(202, await mounted().request({ projectId, conversationId, lastActivityAt, traceIds, requestId }));
    }),
  ];
}

export interface FiguresDependencies {
  analyses: Pick<AnalysisStore, 'queued' | 'queuedOf'>;
  /** Figures of work items; undefined if they are not mounted. */
  repairs: { figures(): Promise<SignalFigures>; figuresOf(projectId: string): Promise<SignalFigures> } | undefined;
  clock: Clock;
}

/** Routes for operators with figures about analyses and work items. */
export function diagnosticFigureRoutes({ analyses, repairs, clock }: FiguresDependencies): Route[] {
  return [
    route(getDiagnosticFigures, async ({ query: { projectId } }) => {
      const nowMs = clock.now();
      const [all, own, waiting, repairShare] = await Promise.all([
        analyses.queued(nowMs),
        projectId === undefined ? undefined : analyses.queuedOf(projectId, nowMs),
        repairs?.figures(),
        projectId === undefined ? undefined : repairs?.figuresOf(projectId),
      ]);
      return answer(200, {
        analyses: { ...all, givenUp: 0 },
        ...(own === undefined ? {} : { share: { ...own, givenUp: 0 } }),
        ...(waiting === undefined ? {} : { repairs: waiting }),
        ...(repairShare === undefined ? {} : { repairShare }),
      });
    }),
  ];
}
