import { eraseConversation, eraseProjectTelemetry, getErasure, listErasures } from '@clew/contracts';
import { answer, doerOf, route, type Route } from '@clew/http';
import type { EraseProject } from '@clew/persistence';
import type { ErasuresService } from './erasures.service.ts';

export function erasureRoutes(erasures: ErasuresService, eraseProject: EraseProject): Route[] {
  return [
    route(eraseConversation, async ({ params }, context) => {
      const erasureId = await erasures.request(params, doerOf(context));
      return answer(202, { erasureId }, { location: `/v1/projects/${params.projectId}/erasures/${erasureId}` });
    }),
    route(eraseProjectTelemetry, async ({ params }) => answer(200, await eraseProject(params.projectId))),
    route(listErasures, async ({ params, query }) => answer(200, await erasures.list(params.projectId, query))),
    route(getErasure, async ({ params }) => answer(200, await erasures.get(params.projectId, params.erasureId))),
  ];
}
