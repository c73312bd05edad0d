import { getRetention, getTelemetryFigures, getTelemetrySettings, updateTelemetrySettings } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Backlog } from '@clew/runtime';
import type { RetentionService } from './retention.service.ts';

/** What is due to be assembled. */
type AssemblyBacklog = () => Promise<Backlog>;

export function retentionRoutes(retention: RetentionService, assembly: AssemblyBacklog): Route[] {
  return [
    route(getTelemetrySettings, async ({ params }) =>
      answer(200, { settings: await retention.settingsOf(params.projectId) }),
    ),
    route(updateTelemetrySettings, async ({ params, body }) =>
      answer(200, { settings: await retention.change(params.projectId, body) }),
    ),
    route(getTelemetryFigures, async () => {
      const [{ waiting, oldestAgeMs, givenUp }, figures] = await Promise.all([assembly(), retention.figures()]);
      return answer(200, { assembly: { backlog: waiting, oldestAgeMs, givenUp }, retention: figures });
    }),
    route(getRetention, async ({ params }) => answer(200, { retention: await retention.states(params.projectId) })),
  ];
}
