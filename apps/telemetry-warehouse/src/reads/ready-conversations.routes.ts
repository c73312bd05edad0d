import { getLatestConversation, getReadySnapshot, listReadyConversations, readReadySnapshots } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { ReadyConversationsService } from './ready-conversations.service.ts';

/** Internal routes for services that derive data from conversations. */
export function readyConversationRoutes(ready: ReadyConversationsService): Route[] {
  return [
    route(listReadyConversations, async ({ params, query }) => answer(200, await ready.list(params.projectId, query))),
    route(getReadySnapshot, async ({ params }) =>
      answer(200, await ready.get(params.projectId, params.conversationId)),
    ),
    route(readReadySnapshots, async ({ params, body }) =>
      answer(200, { conversations: await ready.named(params.projectId, body.conversationIds) }),
    ),
    route(getLatestConversation, async ({ params }) => answer(200, await ready.latest(params.projectId))),
  ];
}
