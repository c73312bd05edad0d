import { countConversations, readConversationSeries } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { SeriesService } from '../hours/index.ts';
import type { ConversationsService } from './conversations.service.ts';

/** Routes of counts and series; their paths come before those of single conversations. */
export function conversationFigureRoutes(conversations: ConversationsService, readSeries: SeriesService): Route[] {
  return [
    route(countConversations, async ({ params, query }) =>
      answer(200, await conversations.count(params.projectId, query)),
    ),
    route(readConversationSeries, async ({ params, query }) =>
      answer(200, { series: await readSeries(params.projectId, query) }),
    ),
  ];
}
