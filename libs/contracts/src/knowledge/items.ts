import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import {
  BooleanQuery,
  ConversationId,
  EpochMs,
  EpochMsQuery,
  Name,
  pageQuery,
  ProjectParams,
  textOf,
  TraceId,
} from '../common/primitives.ts';
import {
  KNOWLEDGE_AUTHORITIES,
  KNOWLEDGE_KINDS,
  KnowledgeEvidence,
  KnowledgeSubject,
  MAX_EVIDENCE_OF_ITEM,
  SUBJECT_KINDS,
} from '../messages/knowledge.ts';
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
    subject: KnowledgeSubject.extend({
      userId: z.string().nullable().meta({ description: 'Of the person, where a conversation tells it' }),
    }),
    sourceTraceId: z.string().meta({ description: 'Empty where a person wrote it without a quote' }),
    sourceConversationId: z.string(),
    evidence: z.array(ItemEvidence),
    authority: z.enum(KNOWLEDGE_AUTHORITIES),
    saidAt: EpochMs.meta({ description: 'When its newest quote was said, or a person wrote it' }),
    validFrom: EpochMs.nullable().meta({ description: 'From when it holds, where the words say so' }),
    validUntil: EpochMs.nullable().meta({ description: 'From when it no longer holds, where the words say so' }),
    heldFrom: EpochMs.meta({ description: 'From when it is taken to hold: `validFrom`, else when it was first said' }),
    heldUntil: EpochMs.nullable().meta({
      description: 'Until when: `validUntil`, or from when another one replaced it',
    }),
    reviewedAt: EpochMs.nullable(),
    reviewedBy: z.string().nullable().meta({ description: 'The person, or the API key, that changed it last' }),
    supersedes: z.string().nullable(),
    supersededBy: z.string().nullable().meta({ description: 'The item that replaced it; setting it active undoes' }),
    possiblyOutdatedBy: z.string().nullable().meta({
      description: 'An item that says nearly the same with another value; setting it active says that it holds',
    }),
    revision: z.int().min(1),
    createdAt: EpochMs,
    updatedAt: EpochMs,
  })
  .meta({ id: 'KnowledgeItem' });
export type KnowledgeItem = z.infer<typeof KnowledgeItem>;

const Content = textOf(4_000).refine((text) => text.trim() !== '', 'must not be blank');
/** Subject as a person names it. */
export const NamedSubject = z.strictObject({ kind: z.enum(SUBJECT_KINDS), name: Name });

/** Item that a person writes. */
export const NewKnowledgeItem = z
  .strictObject({
    goalId: z.string().min(1).max(100),
    title: Name,
    content: Content,
    kind: z.enum(KNOWLEDGE_KINDS),
    subject: NamedSubject.optional().meta({ description: 'The project, if left out' }),
    validFrom: EpochMs.optional(),
    validUntil: EpochMs.optional(),
    evidence: z
      .array(
        z.strictObject({
          conversationId: ConversationId,
          messageIndex: z.int().min(0),
          quote: textOf(2_000).min(1),
        }),
      )
      .max(MAX_EVIDENCE_OF_ITEM)
      .default([])
      .meta({ description: 'Words of conversations that show it, exactly as they were said' }),
  })
  .refine(({ validFrom = -Infinity, validUntil = Infinity }) => validFrom < validUntil, {
    path: ['validUntil'],
    message: 'must be after validFrom',
  });
export type NewKnowledgeItem = z.infer<typeof NewKnowledgeItem>;

export const KnowledgeItemChange = z
  .strictObject({
    status: z.enum(ITEM_STATUSES).optional(),
    title: Name.optional(),
    content: Content.optional(),
    kind: z.enum(KNOWLEDGE_KINDS).optional(),
    subject: NamedSubject.optional(),
    validFrom: EpochMs.nullable().optional(),
    validUntil: EpochMs.nullable().optional(),
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

export const ITEMS_PATH = '/v1/projects/:projectId/knowledge/items';
export const ItemParams = ProjectParams.extend({ itemId: z.string().regex(idPattern('kitm')) });

const SubjectFilter = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'The name of whom or what it is about, or a user id' });
const AsOf = EpochMsQuery.meta({ description: 'What was held true then, superseded items included' });

const ItemFilters = {
  goalId: z.string().min(1).max(100).optional(),
  status: z.enum(ITEM_STATUSES).optional().meta({
    description: 'Without it, all but superseded items; `archived` lists those too',
  }),
  subject: SubjectFilter.optional(),
};

const Confidence = z
  .string()
  .regex(/^(?:0|1|0?\.\d{1,6}|1\.0{1,6})$/, 'must be a number from 0 to 1')
  .transform(Number)
  .pipe(z.number().min(0).max(1));

/** Filters of items, for lists and counts alike. */
export const ITEM_FILTERS = {
  ...ItemFilters,
  reviewed: BooleanQuery.optional().meta({ description: 'Whether a person, or a key, has reviewed it' }),
  kind: z.enum(KNOWLEDGE_KINDS).optional(),
  sourceTraceId: TraceId.optional().meta({ description: 'A trace that the item is backed by' }),
  sourceConversationId: ConversationId.optional().meta({ description: 'A conversation that the item is backed by' }),
  minConfidence: Confidence.optional(),
  maxConfidence: Confidence.optional().meta({ description: 'Inclusive' }),
};

const ItemsQuery = z
  .strictObject({
    ...ITEM_FILTERS,
    updatedAfter: EpochMsQuery.optional().meta({ description: 'Changed then or later, oldest change first' }),
    asOf: AsOf.optional(),
    q: z.string().min(1).max(500).optional().meta({
      description:
        'Words that are all in the title or the content; where a model of the project embeds, also what means about the same',
    }),
    ...pageQuery(500, 100),
  })
  .refine(({ asOf, status }) => asOf === undefined || status === undefined, {
    path: ['asOf'],
    message: 'cannot be combined with status: it tells what was held then',
  });
export type ItemsQuery = z.infer<typeof ItemsQuery>;

export const listItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'listItems',
  sdk: 'knowledge.items.list',
  method: 'get',
  path: ITEMS_PATH,
  summary: 'List Knowledge items, newest first',
  description:
    'An item is one statement that conversations teach. Without `status`, all but superseded ones. With `q`, what fits the words; where a model of the project embeds, also what means about the same.',
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  query: ItemsQuery,
  responses: { 200: z.object({ items: z.array(KnowledgeItem), nextCursor: z.string().nullable() }) },
});

export const exportItems = defineRoute({
  ...KNOWLEDGE,
  operationId: 'exportItems',
  sdk: 'knowledge.items.export',
  method: 'get',
  path: '/v1/projects/:projectId/knowledge/export',
  summary: 'Stream Knowledge items with their evidence as JSONL, newest first',
  description: 'Each line is an item as `getItem` answers it.',
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  query: z.strictObject(ItemFilters),
  routeClass: 'stream',
  responses: { 200: streamed({ 'application/jsonl': KnowledgeItem }) },
  responseHeaders: { 'content-disposition': 'Names the file' },
});

export const createItem = defineRoute({
  ...KNOWLEDGE,
  operationId: 'createItem',
  sdk: 'knowledge.items.create',
  method: 'post',
  path: ITEMS_PATH,
  summary: 'Write a Knowledge item',
  description:
    'It counts as reviewed, so that extraction never changes it. Quotes are optional; one that its message does not hold is 400. 409 if the goal has an item with the same words, or is archived.',
  access: WRITE_KNOWLEDGE,
  idempotent: true,
  conditional: true,
  params: ProjectParams,
  body: NewKnowledgeItem,
  responses: { 201: KnowledgeItem },
  errors: ['CONFLICT', 'CONVERSATION_NOT_FOUND', 'CONVERSATION_NOT_READY'],
});

export const undoItem = defineRoute({
  ...KNOWLEDGE,
  operationId: 'undoItem',
  sdk: 'knowledge.items.undo',
  method: 'post',
  path: `${ITEMS_PATH}/:itemId/undo`,
  summary: 'Undo the last change of a Knowledge item',
  description:
    'The item becomes what its revision before said, as a new revision; undoing again brings the change back. 409 if there is no revision before.',
  access: WRITE_KNOWLEDGE,
  conditional: true,
  changesNamed: true,
  params: ItemParams,
  responses: { 200: KnowledgeItem },
  errors: ['CONFLICT'],
});

export const getItem = defineRoute({
  ...KNOWLEDGE,
  operationId: 'getItem',
  sdk: 'knowledge.items.get',
  method: 'get',
  path: `${ITEMS_PATH}/:itemId`,
  summary: 'Read a Knowledge item with its evidence',
  description: 'Each piece of evidence is an exact quote with its conversation, message and position.',
  access: READ_KNOWLEDGE,
  conditional: true,
  params: ItemParams,
  responses: { 200: KnowledgeItem },
});

export const updateItem = defineRoute({
  ...KNOWLEDGE,
  operationId: 'updateItem',
  sdk: 'knowledge.items.update',
  method: 'patch',
  path: `${ITEMS_PATH}/:itemId`,
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
  sdk: 'knowledge.items.revisions',
  method: 'get',
  path: `${ITEMS_PATH}/:itemId/revisions`,
  summary: 'List what a Knowledge item was, the latest first',
  description: 'Every change is a revision with its author: extraction, a person or a key.',
  access: READ_KNOWLEDGE,
  params: ItemParams,
  query: z.strictObject(pageQuery(500, 100)),
  responses: { 200: z.object({ revisions: z.array(ItemRevision), nextCursor: z.string().nullable() }) },
});
