import { z } from 'zod';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { KNOWLEDGE_AUTHORITIES, MAX_ITEMS_OF_EXTRACTION, TextEmbedding } from '../messages/knowledge.ts';
import { defineRoute } from '../route.ts';
import { KNOWLEDGE } from './access.ts';

/** Maximum items that are near to one statement. */
export const MAX_NEAR_ITEMS = 8;

/** Active item that may say the same as a new statement, or the contrary. */
export const NearItem = z.object({
  itemId: z.string(),
  revision: z.int().min(1),
  content: z.string(),
  authority: z.enum(KNOWLEDGE_AUTHORITIES),
  saidAt: EpochMs,
});
export type NearItem = z.infer<typeof NearItem>;

/** Internal: finds the active items of a goal that new statements are to be compared with. */
export const findNearItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'findNearItems',
  method: 'post',
  tag: 'Internal',
  access: { kind: 'internal', services: ['jobs-worker'] },
  path: '/internal/v1/projects/:projectId/knowledge/goals/:goalId/near-items',
  summary: 'Find the active items nearest to some statements, by their words and embeddings',
  params: ProjectParams.extend({ goalId: z.string().min(1).max(100) }),
  body: z.strictObject({
    statements: z
      .array(
        z.strictObject({
          content: z.string().min(1).max(4_000),
          subject: z.string().max(200).optional().meta({ description: 'Name of whom or what it is about' }),
          embedding: TextEmbedding.optional(),
        }),
      )
      .min(1)
      .max(MAX_ITEMS_OF_EXTRACTION),
  }),
  responses: {
    200: z.object({
      near: z.array(z.array(NearItem).max(MAX_NEAR_ITEMS)).meta({ description: 'In the order of the statements' }),
    }),
  },
});
