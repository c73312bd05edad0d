import { z } from 'zod';
import { pageQuery } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { ConversationParams, READ_CONVERSATIONS } from './conversations.ts';
import { ConversationMessage } from './messages.ts';

/** Index of a message in a query string. */
const IndexQuery = z
  .string()
  .regex(/^\d{1,6}$/, 'must be the index of a message')
  .transform(Number)
  .pipe(z.int().min(0).max(999_999));

export const listConversationMessages = defineRoute({
  operationId: 'listConversationMessages',
  sdk: 'conversations.messages',
  service: 'telemetry-warehouse',
  method: 'get',
  path: '/v1/projects/:projectId/conversations/:conversationId/messages',
  tag: 'Conversations',
  summary: 'Read some messages of a conversation, in the order of their indexes',
  description:
    'From an index on, or around one. The `ETag` is the content hash: with `If-None-Match`, 304 while nothing was said since.',
  access: READ_CONVERSATIONS,
  conditional: true,
  params: ConversationParams,
  query: z
    .strictObject({
      from: IndexQuery.optional().meta({ description: 'The first index; 0 if it is left out' }),
      around: IndexQuery.optional().meta({ description: 'The index that is in the middle' }),
      limit: pageQuery(500, 100).limit,
    })
    .refine(({ from, around }) => from === undefined || around === undefined, {
      path: ['around'],
      message: 'cannot be combined with from',
    }),
  responses: {
    200: z.object({
      contentHash: z.string(),
      messageCount: z.int().min(0).meta({ description: 'Of the whole conversation' }),
      from: z.int().min(0),
      messages: z.array(ConversationMessage),
    }),
    304: null,
  },
});
