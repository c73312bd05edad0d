import { createScore, getConversation, listConversations, type Score } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Transaction } from '@clew/persistence';
import type { ConversationsService } from './conversations.service.ts';

export function conversationRoutes(conversations: ConversationsService): Route[] {
  return [
    route(listConversations, async ({ params, query }) =>
      answer(200, await conversations.list(params.projectId, query)),
    ),
    route(getConversation, async ({ params }) =>
      answer(200, await conversations.get(params.projectId, params.conversationId)),
    ),
    route(createScore, async ({ params: { projectId, conversationId }, body }, { attempt }) => {
      // Location of the conversation, with which its scores are read.
      const location = `/v1/projects/${projectId}/conversations/${encodeURIComponent(conversationId)}`;
      const reply = (score: Score) => answer(201, score, { location });
      const record = async (tx: Transaction, score: Score) => attempt?.record(tx, reply(score));
      return reply(await conversations.addScore(projectId, conversationId, body, record));
    }),
  ];
}
