import { eraseConversationExamples, eraseProjectDatasets } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { eraseProjectLetters, type Broker } from '@clew/messaging';
import { createEraseProject, type Database } from '@clew/persistence';
import type { EraseExamples } from './erase-examples.ts';

export interface ErasureRoutesDependencies {
  database: Database;
  broker: Broker;
  eraseExamples: EraseExamples;
}

export function erasureRoutes({ database, broker, eraseExamples }: ErasureRoutesDependencies): Route[] {
  const eraseProject = createEraseProject(database, { before: eraseProjectLetters(broker, 'datasets-svc') });
  return [
    route(eraseConversationExamples, async ({ params }, { requestId }) =>
      answer(200, await eraseExamples({ ...params, requestId })),
    ),
    route(eraseProjectDatasets, async ({ params }) => answer(200, await eraseProject(params.projectId))),
  ];
}
