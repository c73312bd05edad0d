import { z } from 'zod';
import { ConversationId, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const Count = z.int().min(0);

/** Counts of removed items; a repeated call counts only the remainder. */
const ErasedKnowledge = z.object({
  items: Count.meta({ description: 'Items that rested on it alone' }),
  evidence: Count.meta({ description: 'Quotes, those of removed items included' }),
  revisions: Count,
  extractions: Count.meta({ description: 'What is remembered of what was read' }),
  deadLetters: Count.meta({ description: 'Messages that had failed, removed or rewritten' }),
  replies: Count.meta({ description: 'Answers that were kept for repeats' }),
});
export type ErasedKnowledge = z.infer<typeof ErasedKnowledge>;

/** Internal: erases a conversation's part of Knowledge. */
export const eraseConversationKnowledge = defineRoute({
  operationId: 'eraseConversationKnowledge',
  service: 'knowledge-svc',
  method: 'delete',
  tag: 'Internal',
  access: { kind: 'internal', services: ['telemetry-warehouse'] },
  path: '/internal/v1/projects/:projectId/conversations/:conversationId/knowledge',
  summary: 'Remove what a conversation taught; safe to repeat',
  params: ProjectParams.extend({ conversationId: ConversationId }),
  responses: {
    200: z.object({
      removed: ErasedKnowledge,
      done: z.boolean().meta({ description: 'Nothing is left: otherwise the same call goes on' }),
    }),
  },
});
