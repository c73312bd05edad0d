import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { EpochMs, EpochMsQuery, Name, pageQuery, ProjectParams, textOf, TraceId } from '../common/primitives.ts';
import { KNOWLEDGE_AUTHORITIES, KNOWLEDGE_KINDS, KnowledgeEvidence } from '../messages/knowledge.ts';
import { defineRoute, streamed } from '../route.ts';
import { KNOWLEDGE, READ_KNOWLEDGE, WRITE_KNOWLEDGE } from './access.ts';

export const ITEM_STATUSES = ['active', 'archived'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const ItemEvidence = KnowledgeEvidence.extend({
  conversationId: z.string(),
  isCurrent: z.boolean().meta({ description: 'false: the conversation, as it is now, no longer says so' }),
}).meta({ id: 'KnowledgeItemEvidence' });
export type ItemEvidence = z.infer<typeof ItemEvidence>;

export const KnowledgeItem = z
  .object({
    id: z.string(),
    projectId: z.string(),
    goalId: z.string(),
    status: z.enum(ITEM_STATUSES),
    title: z.string(),
    content: z.string(),
    kind: z.enum(KNOWLEDGE_KINDS),
    confidence: z.number().min(0).max(1),
    sourceTraceId: z.string(),
    sourceConversationId: z.string(),
    evidence: z.array(ItemEvidence),
    authority: z.enum(KNOWLEDGE_AUTHORITIES),
    reviewedAt: EpochMs.nullable(),
    reviewedBy: z.string().nullable().meta({ description: 'The person, or the API key, that changed it last' }),
    supersedes: z.string().nullable(),
    supersededBy: z.string().nullable().meta({ description: 'The item that contradicts it; setting it active undoes' }),
    revision: z.int().min(1),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'KnowledgeItem' });
export type KnowledgeItem = z.infer<typeof KnowledgeItem>;

export const KnowledgeItemChange = z
  .strictObject({
    status: z.enum(ITEM_STATUSES).optional(),
    title: Name.optional(),
    content: textOf(4_000)
      .refine((text) => text.trim() !== '', 'must not be blank')
      .optional(),
    kind: z.enum(KNOWLEDGE_KINDS).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'must hold at least one field');
export type KnowledgeItemChange = z.infer<typeof KnowledgeItemChange>;

export const ItemRevision = z
  .object({
    revision: z.int().min(1),
    author: z.object({
      kind: z.enum(['user', 'key', 'extraction', 'erasure']),
      id: z.string().nullable().meta({ description: 'The person, the API key, or the model that read it' }),
    }),
    item: KnowledgeItem.meta({ description: 'As it was from then on' }),
    createdAt: EpochMs,
  })
  .meta({ id: 'KnowledgeItemRevision' });
export type ItemRevision = z.infer<typeof ItemRevision>;

const ITEMS = '/v1/projects/:projectId/knowledge/items';
export const ItemParams = ProjectParams.extend({ itemId: z.string().regex(idPattern('kitm')) });

const ItemFilters = {
  goalId: z.string().min(1).max(100).optional(),
  status: z.enum(ITEM_STATUSES).optional(),
};

const ItemsQuery = z.strictObject({
  ...ItemFilters,
  sourceTraceId: TraceId.optional().meta({ description: 'A trace that the item is backed by' }),
  updatedAfter: EpochMsQuery.optional().meta({ description: 'Changed then or later, oldest change first' }),
  q: z.string().min(1).max(500).optional().meta({
    description:
      'Words that are all in the title or the content; where a model of the project embeds, also what means about the same',
  }),
  ...pageQuery(500, 100),
});
export type ItemsQuery = z.infer<typeof ItemsQuery>;

export const listItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'listItems',
  method: 'get',
  path: ITEMS,
  summary: 'List Knowledge items, newest first',
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  query: ItemsQuery,
  responses: { 200: z.object({ items: z.array(KnowledgeItem), nextCursor: z.string().nullable() }) },
});

export const exportItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'exportItems',
  method: 'get',
  path: '/v1/projects/:projectId/knowledge/export',
  summary: 'Stream Knowledge items with their evidence as JSONL, newest first',
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  query: z.strictObject(ItemFilters),
  routeClass: 'stream',
  responses: { 200: streamed({ 'application/jsonl': KnowledgeItem }) },
  responseHeaders: { 'content-disposition': 'Names the file' },
});

export const getItem = defineRoute({
  ...KNOWLEDGE,
  operationId: 'getItem',
  method: 'get',
  path: `${ITEMS}/:itemId`,
  summary: 'Read a Knowledge item with its evidence',
  access: READ_KNOWLEDGE,
  conditional: true,
  params: ItemParams,
  responses: { 200: KnowledgeItem },
});

export const updateItem = defineRoute({
  ...KNOWLEDGE,
  operationId: 'updateItem',
  method: 'patch',
  path: `${ITEMS}/:itemId`,
  summary: 'Review, change or archive a Knowledge item',
  description:
    'What was reviewed is never changed by extraction, and what was archived is not made again. Every change is kept as a revision with its author.',
  access: WRITE_KNOWLEDGE,
  conditional: true,
  params: ItemParams,
  body: KnowledgeItemChange,
  responses: { 200: KnowledgeItem },
});

export const listItemRevisions = defineRoute({
  ...KNOWLEDGE,
  operationId: 'listItemRevisions',
  method: 'get',
  path: `${ITEMS}/:itemId/revisions`,
  summary: 'List what a Knowledge item was, the latest first',
  access: READ_KNOWLEDGE,
  params: ItemParams,
  query: z.strictObject(pageQuery(500, 100)),
  responses: { 200: z.object({ revisions: z.array(ItemRevision), nextCursor: z.string().nullable() }) },
});
