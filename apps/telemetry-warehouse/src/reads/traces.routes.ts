import { getTrace } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { TracesService } from './traces.service.ts';

export function traceRoutes(traces: TracesService): Route[] {
  return [
    route(getTrace, async ({ params, query }) =>
      answer(200, await traces.get(params.projectId, params.traceId, query)),
    ),
  ];
}
