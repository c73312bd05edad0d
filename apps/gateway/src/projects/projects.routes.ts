import { createProject, getProject, listProjects, updateProject, type Project } from '@clew/contracts';
import { answer, preconditionOf, route, type Route } from '@clew/http';
import { callerOf } from '../caller.ts';
import { originOf } from '../request-origin.ts';
import { projectEtag } from './project.model.ts';
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
      foundReply(await projects.get(callerOf(context), params.projectId)),
    ),
    route(updateProject, async ({ params, body }, context) => {
      const target = { projectId: params.projectId, name: body.name };
      const precondition = preconditionOf(context.request);
      const check = (project: Project) => precondition.check(projectEtag(project));
      return foundReply(await projects.rename(callerOf(context), target, originOf(context), check));
    }),
  ];
}

function createdReply(project: Project) {
  return answer(201, project, { location: `/v1/projects/${project.id}`, etag: projectEtag(project) });
}

function foundReply(project: Project) {
  return answer(200, project, { etag: projectEtag(project) });
}
