import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { EpochMs, pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { KNOWLEDGE } from './access.ts';
import { KnowledgeItem } from './items.ts';

/** Maximum number of items that are read in one answer. */
export const MAX_READ_ITEMS = 100;

/** Internal: Knowledge items from which Examples may be collected, whatever their state. */
export const readKnowledgeItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'readKnowledgeItems',
  method: 'post',
  tag: 'Internal',
  access: { kind: 'internal', services: ['jobs-worker', 'datasets-svc'] },
  path: '/internal/v1/projects/:projectId/knowledge/items/read',
  summary: 'Read Knowledge items; those that do not exist are left out',
  params: ProjectParams,
  body: z.strictObject({
    itemIds: z
      .array(z.string().regex(idPattern('kitm')))
      .min(1)
      .max(MAX_READ_ITEMS),
  }),
  responses: { 200: z.object({ items: z.array(KnowledgeItem) }) },
});

/** Internal: the active items of a project, from which Examples may be collected. */
export const listActiveItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'listActiveItems',
  method: 'get',
  tag: 'Internal',
  access: { kind: 'internal', services: ['datasets-svc'] },
  path: '/internal/v1/projects/:projectId/knowledge/active-items',
  summary: 'List active Knowledge items, the newest first',
  params: ProjectParams,
  query: z.strictObject(pageQuery(1000, 100)),
  responses: {
    200: z.object({
      items: z.array(z.object({ itemId: z.string(), goalId: z.string(), createdAt: EpochMs })),
      nextCursor: z.string().nullable(),
    }),
  },
});
