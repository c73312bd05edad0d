import { getFinding, listFindings } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { FindingsService } from './findings.service.ts';

export function findingRoutes(findings: FindingsService): Route[] {
  return [
    route(listFindings, async ({ params, query }) => answer(200, await findings.list(params.projectId, query))),
    route(getFinding, async ({ params }) => answer(200, await findings.get(params.projectId, params.findingId))),
  ];
}
