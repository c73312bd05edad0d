import { deleteProject, getProjectErasure } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { callerOf } from '../caller.ts';
import { originOf } from '../request-origin.ts';
import type { ProjectErasuresService } from './project-erasures.service.ts';

export function projectErasureRoutes(erasures: ProjectErasuresService): Route[] {
  return [
    route(deleteProject, async ({ params }, context) => {
      const erasureId = await erasures.request(callerOf(context), params.projectId, originOf(context));
      return answer(202, { erasureId }, { location: `/v1/project-erasures/${erasureId}` });
    }),
    route(getProjectErasure, async ({ params }, context) =>
      answer(200, await erasures.get(callerOf(context), params.projectErasureId)),
    ),
  ];
}
