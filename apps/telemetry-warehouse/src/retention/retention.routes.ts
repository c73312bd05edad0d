import {
  getRetention,
  getTelemetryFigures,
  getTelemetrySettings,
  updateTelemetrySettings,
  type SignalFigures,
} from '@clew/contracts';
import { answer, doerOf, route, type Route } from '@clew/http';
import type { Backlog } from '@clew/runtime';
import type { RetentionService } from './retention.service.ts';

/** Backlog of assembly, of all projects and of one. */
interface Assembly {
  backlog(): Promise<Backlog>;
  backlogOf(projectId: string): Promise<Omit<Backlog, 'givenUp'>>;
}

export function retentionRoutes(retention: RetentionService, assembly: Assembly): Route[] {
  return [
    route(getTelemetrySettings, async ({ params }) =>
      answer(200, { settings: await retention.settingsOf(params.projectId) }),
    ),
    route(updateTelemetrySettings, async ({ params, body }, context) =>
      answer(200, { settings: await retention.change(params.projectId, body, doerOf(context)) }),
    ),
    route(getTelemetryFigures, async ({ query: { projectId } }) => {
      const [all, own, figures] = await Promise.all([
        assembly.backlog(),
        projectId === undefined ? undefined : assembly.backlogOf(projectId),
        retention.figures(),
      ]);
      const share = own === undefined ? {} : { share: signalFigures({ ...own, givenUp: 0 }) };
      return answer(200, { assembly: signalFigures(all), ...share, retention: figures });
    }),
    route(getRetention, async ({ params }) => answer(200, { retention: await retention.states(params.projectId) })),
  ];
}

function signalFigures({ waiting, oldestAgeMs, givenUp }: Backlog): SignalFigures {
  return { backlog: waiting, oldestAgeMs, givenUp };
}
