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
    route(createScore, async ({ params, body }, { attempt }) => {
      const reply = (score: Score) => answer(201, score);
      const record = async (tx: Transaction, score: Score) => attempt?.record(tx, reply(score));
      return reply(await conversations.addScore(params.projectId, params.conversationId, body, record));
    }),
  ];
}
