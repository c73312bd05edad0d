import { z } from 'zod';
import { ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { KNOWLEDGE, WRITE_KNOWLEDGE } from './access.ts';

export const eraseSubject = defineRoute({
  ...KNOWLEDGE,
  operationId: 'eraseKnowledgeSubject',
  sdk: 'knowledge.eraseSubject',
  method: 'post',
  path: '/v1/projects/:projectId/knowledge/subject-erasures',
  summary: 'Erase the Knowledge about a person, an organisation or a product',
  description:
    'The items with that subject go, with their revisions. What conversations still say can be learned again: erase those too.',
  access: WRITE_KNOWLEDGE,
  params: ProjectParams,
  body: z.strictObject({
    subject: z.string().min(1).max(200).meta({ description: 'Its name, or the user id of a person' }),
  }),
  responses: {
    200: z.object({
      removed: z.object({ items: z.int().min(0), revisions: z.int().min(0), replies: z.int().min(0) }),
      done: z.boolean().meta({ description: 'false: there are more, and the same call goes on' }),
    }),
  },
});
