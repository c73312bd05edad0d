import { createScore, getConversation, listConversations } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { ConversationsService } from './conversations.service.ts';

export function conversationRoutes(conversations: ConversationsService): Route[] {
  return [
    route(listConversations, async ({ params, query }) =>
      answer(200, await conversations.list(params.projectId, query)),
    ),
    route(getConversation, async ({ params }) =>
      answer(200, await conversations.get(params.projectId, params.conversationId)),
    ),
    route(createScore, async ({ params, body }) =>
      answer(201, await conversations.addScore(params.projectId, params.conversationId, body)),
    ),
  ];
}
