import { eraseConversationExamples, eraseProjectDatasets } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { createEraseProject, type Database } from '@clew/persistence';
import type { EraseExamples } from './erase-examples.ts';

export function erasureRoutes(database: Database, eraseExamples: EraseExamples): Route[] {
  const eraseProject = createEraseProject(database);
  return [
    route(eraseConversationExamples, async ({ params }, { requestId }) =>
      answer(200, await eraseExamples({ ...params, requestId })),
    ),
    route(eraseProjectDatasets, async ({ params }) => answer(200, await eraseProject(params.projectId))),
  ];
}
