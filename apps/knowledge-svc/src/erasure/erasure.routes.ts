import { eraseConversationKnowledge, eraseProjectKnowledge, eraseSubject } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { eraseProjectLetters, type Broker } from '@clew/messaging';
import { createEraseProject, type Database } from '@clew/persistence';
import type { Erasure } from './erasure.ts';

export interface ErasureRoutesDependencies {
  database: Database;
  broker: Broker;
  erasure: Erasure;
}

export function erasureRoutes({ database, broker, erasure }: ErasureRoutesDependencies): Route[] {
  const eraseProject = createEraseProject(database, { before: eraseProjectLetters(broker, 'knowledge-svc') });
  return [
    route(eraseConversationKnowledge, async ({ params }, { requestId }) =>
      answer(200, await erasure.conversation({ ...params, requestId })),
    ),
    route(eraseSubject, async ({ params, body }, { requestId }) =>
      answer(200, await erasure.subject({ ...params, ...body, requestId })),
    ),
    route(eraseProjectKnowledge, async ({ params }) => answer(200, await eraseProject(params.projectId))),
  ];
}
