import { createProject, getMe, getProject, listProjects, type Project } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { callerOf, type GatewayCaller } from '../caller.ts';
import { originOf } from '../request-origin.ts';
import type { ProjectsService } from './projects.service.ts';

export function projectRoutes(projects: ProjectsService): Route[] {
  return [
    route(createProject, async ({ body }, context) => {
      const created = await projects.create(callerOf(context), body.name, originOf(context), async (tx, project) => {
        await context.attempt?.record(tx, createdReply(project));
      });
      return createdReply(created);
    }),
    route(listProjects, async ({ query }, context) => answer(200, await projects.list(callerOf(context), query))),
    route(getProject, async ({ params }, context) =>
      answer(200, await projects.get(callerOf(context), params.projectId)),
    ),
    route(getMe, async (_input, context) => answer(200, viewOf(callerOf(context)))),
  ];
}

function createdReply(project: Project) {
  return answer(201, project, { location: `/v1/projects/${project.id}` });
}

function viewOf({ principal, projectIds }: GatewayCaller) {
  const rights =
    principal.kind === 'key' ? { scopes: [...principal.scopes] } : { permissions: [...principal.permissions] };
  const reach = projectIds === 'all' ? ('all' as const) : [...projectIds];
  return { kind: principal.kind, id: principal.id, ...rights, projectIds: reach };
}
