import { z } from 'zod';
import { SpanId, TraceId } from '../common/primitives.ts';
import { AskLater } from './ask-later.ts';
import { defineMessage } from './envelope.ts';

/** Maximum result of one extraction; anything beyond it is dropped and counted. */
export const MAX_ITEMS_OF_EXTRACTION = 50;
export const MAX_EVIDENCE_OF_ITEM = 20;

export const KNOWLEDGE_KINDS = ['fact', 'preference', 'procedure', 'correction', 'policy'] as const;
/** Authorities that words of a conversation carry, by who said them, the highest first. */
export const SPOKEN_AUTHORITIES = ['user_stated', 'tool_observed', 'assistant_inferred'] as const;
/** All authorities, the highest first: what a person wrote, and the project's own system prompt, come before the rest. */
export const KNOWLEDGE_AUTHORITIES = ['person_written', 'project_stated', ...SPOKEN_AUTHORITIES] as const;
export type KnowledgeAuthority = (typeof KNOWLEDGE_AUTHORITIES)[number];

export const SUBJECT_KINDS = ['person', 'organisation', 'product', 'project'] as const;

/** Person or thing that an item is about. */
export const KnowledgeSubject = z
  .object({
    kind: z.enum(SUBJECT_KINDS),
    name: z.string().min(1).max(200).meta({ description: 'As the words have it; "project" for the project itself' }),
  })
  .meta({ id: 'KnowledgeSubject' });
export type KnowledgeSubject = z.infer<typeof KnowledgeSubject>;

/** Year, month or day, as the words tell it. */
export const PartialDate = z.string().regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/, 'must be a year, a month or a day');

/** Reasons why a model's statement about a conversation does not become Knowledge. */
export const REJECTION_REASONS = [
  'malformed',
  'unknown_message',
  'quote_not_found',
  'tainted',
  'not_supported',
  'not_entailed',
  'other_person',
  'contrary',
  'too_many',
] as const;
export type RejectionReason = (typeof REJECTION_REASONS)[number];

/** Number of dropped statements by reason. */
export const Rejections = z.partialRecord(z.enum(REJECTION_REASONS), z.int().min(1));
export type Rejections = z.infer<typeof Rejections>;

/**
 * Quote that supports an item. `startChar` and `endChar` count UTF-16 code units of the text of the message with that
 * index in the snapshot; `quote` is exactly the text between them.
 */
export const KnowledgeEvidence = z
  .object({
    traceId: TraceId,
    spanId: SpanId,
    messageIndex: z.int().min(0),
    quote: z.string().min(1).max(2_000),
    startChar: z.int().min(0),
    endChar: z.int().min(1),
    promptHash: z.string().optional().meta({ description: 'Hash of the system prompt that says so' }),
  })
  .meta({ id: 'KnowledgeEvidence' });
export type KnowledgeEvidence = z.infer<typeof KnowledgeEvidence>;

/** Embedding of a text by the named model: little-endian 32-bit floats of length 1, in Base64. */
export const TextEmbedding = z.object({ model: z.string(), vector: z.base64().max(32_768) });
export type TextEmbedding = z.infer<typeof TextEmbedding>;

/** Ways in which a new item relates to an existing one. */
export const ITEM_RELATIONS = ['same', 'refines', 'supersedes', 'contradicts', 'unrelated'] as const;
/** Maximum existing items to which a new one is related. */
export const MAX_RELATIONS_OF_ITEM = 8;

/** Relation of a new item to an existing one, according to a model that can judge. */
export const ItemRelation = z.object({
  itemId: z.string(),
  revision: z.int().min(1).meta({ description: 'The one that was compared; a later one is compared by words alone' }),
  relation: z.enum(ITEM_RELATIONS),
});
export type ItemRelation = z.infer<typeof ItemRelation>;

/** Relation of a new item to one before it in the same extraction, according to a model that can judge. */
export const SiblingRelation = z.object({
  item: z.int().min(0).meta({ description: 'The place of that item among those of the extraction' }),
  relation: z.enum(ITEM_RELATIONS),
});
export type SiblingRelation = z.infer<typeof SiblingRelation>;

/** Item extracted from a conversation, with each quote found where the model claimed it. */
export const ExtractedItem = z.object({
  title: z.string().min(1).max(200),
  content: z.string().min(1).max(4_000),
  kind: z.enum(KNOWLEDGE_KINDS),
  confidence: z.number().min(0).max(1),
  authority: z.enum(KNOWLEDGE_AUTHORITIES),
  evidence: z.array(KnowledgeEvidence).min(1).max(MAX_EVIDENCE_OF_ITEM),
  subject: KnowledgeSubject.optional(),
  validFrom: PartialDate.optional(),
  validUntil: PartialDate.optional().meta({ description: 'The last day, month or year in which it holds' }),
  judged: z.literal(true).optional().meta({
    description: 'A model that can judge says that it follows; otherwise its words alone must show that',
  }),
  relations: z.array(ItemRelation).max(MAX_RELATIONS_OF_ITEM).optional(),
  siblings: z.array(SiblingRelation).max(MAX_RELATIONS_OF_ITEM).optional(),
  embedding: TextEmbedding.optional(),
});
export type ExtractedItem = z.infer<typeof ExtractedItem>;

/**
 * Messages that were extracted from: the first eight bytes of the hash of each message with the number of its earlier
 * occurrences, concatenated, in Base64.
 */
const ReadMessages = z.base64().max(1_048_576);

/** Words beside those of the participants from which a goal may learn. */
export const KnowledgeSources = z
  .object({
    systemPrompt: z.boolean().meta({
      description: "Whether system prompts are the project's own words, so that they teach policies",
    }),
  })
  .meta({ id: 'KnowledgeSources' });
export type KnowledgeSources = z.infer<typeof KnowledgeSources>;

const Extraction = {
  extractionId: z.string().meta({ description: 'The row of knowledge-svc that waits for it' }),
  goalId: z.string(),
  goalRevision: z.int().min(1),
  conversationId: z.string(),
  snapshotId: z.string(),
  model: z.string().meta({ description: 'The model itself, never a choice of one' }),
  round: z.int().min(1).meta({ description: 'How often the same has been asked for' }),
};

/** Asks a worker to extract Knowledge for one goal from the new messages of one snapshot. */
export const extractionRequested = defineMessage({
  kind: 'command',
  type: 'knowledge.extraction.requested',
  version: 1,
  publishedBy: ['knowledge-svc'],
  data: z.object({
    ...Extraction,
    instruction: z.string().min(1).max(8_000),
    capabilities: z
      .object({
        ...{ jsonMode: z.boolean(), jsonSchema: z.boolean(), contextLength: z.int().min(1).nullable() },
        judgement: z.boolean().optional().meta({ description: 'false: it failed the judgement test' }),
      })
      .nullable()
      .meta({ description: 'null: the model could not be looked at' }),
    embeddingModel: z.string().nullable(),
    sources: KnowledgeSources.optional(),
    alreadyRead: ReadMessages,
    minNewTokens: z.int().min(0).meta({ description: 'With fewer new ones nothing is read; 0 reads what there is' }),
  }),
});

/** Outcome of an extraction. It reports the calls made in any case, because they count against the limit. */
export const extractionCompleted = defineMessage({
  kind: 'result',
  type: 'knowledge.extraction.completed',
  version: 1,
  publishedBy: ['jobs-worker'],
  data: z.object({
    ...Extraction,
    calls: z.int().min(0),
    tokens: z.int().min(0),
    outcome: z.discriminatedUnion('status', [
      z.object({
        status: z.literal('read'),
        items: z.array(ExtractedItem).max(MAX_ITEMS_OF_EXTRACTION),
        rejected: Rejections,
        newlyRead: ReadMessages,
        promptsRead: ReadMessages.optional().meta({ description: 'Those of them that are system prompts' }),
        isComplete: z.boolean().meta({ description: 'false: a long one, of which more is to be read' }),
      }),
      z
        .object({ status: z.literal('waiting'), newTokens: z.int().min(0) })
        .meta({ description: 'Too little is new yet' }),
      z.object({ status: z.literal('failed'), reason: z.string() }).meta({ description: 'For good' }),
      AskLater,
    ]),
  }),
});

/** Reports that a Learning Goal names another model now, or is archived and needs none any more. */
export const goalModelsNamed = defineMessage({
  kind: 'event',
  type: 'knowledge.models.named',
  version: 1,
  publishedBy: ['knowledge-svc'],
  data: z.object({
    goalId: z.string(),
    models: z.array(z.string()).max(1),
    revision: z.int().min(0).meta({ description: 'Of two messages on one goal, what the higher one says holds' }),
  }),
});
