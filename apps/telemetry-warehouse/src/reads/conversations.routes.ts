import { createScore, getConversation, listConversationMessages, listConversations, type Score } from '@clew/contracts';
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
    route(listConversationMessages, async ({ params, query }, { request }) => {
      const isKnown = (etag: string) => isNamedBy(request.headers['if-none-match'], etag);
      const { etag, window } = await conversations.messages(params, query, isKnown);
      return window === undefined ? answer(304, null, { etag }) : answer(200, window, { etag });
    }),
    route(createScore, async ({ params: { projectId, conversationId }, body }, { attempt }) => {
      // Location of the conversation, with which its scores are read.
      const location = `/v1/projects/${projectId}/conversations/${encodeURIComponent(conversationId)}`;
      const reply = (score: Score) => answer(201, score, { location });
      const record = async (tx: Transaction, score: Score) => attempt?.record(tx, reply(score));
      return reply(await conversations.addScore(projectId, conversationId, body, record));
    }),
  ];
}

/** Whether `If-None-Match` names an entity tag, strong or weak (RFC 9110, 13.1.2). */
function isNamedBy(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
