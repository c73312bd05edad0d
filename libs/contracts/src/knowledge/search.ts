import { z } from 'zod';
import { EpochMsQuery, EpochMs, ProjectParams, textOf } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { KNOWLEDGE, READ_KNOWLEDGE } from './access.ts';
import { KnowledgeItem } from './items.ts';

/** Line with which packed Knowledge begins. What stands under it in a conversation teaches nothing. */
export const RECALLED_KNOWLEDGE = 'Knowledge recalled from Clew';

const Question = textOf(2_000).refine((text) => text.trim() !== '', 'must not be blank');
const AS_OF = 'What was held true then, superseded items included';
const Narrowed = {
  goalId: z.string().min(1).max(100).optional(),
  subject: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'Name of whom or what it is about, or a user id' }),
};

const SearchQuery = z.strictObject({
  q: Question.meta({ description: 'A question, or some words' }),
  ...Narrowed,
  asOf: EpochMsQuery.optional().meta({ description: AS_OF }),
  k: z.coerce.number().int().min(1).max(50).default(10).meta({ description: 'How many at most' }),
});
export type KnowledgeSearch = z.infer<typeof SearchQuery>;

const LookedAt = z
  .object({
    words: z.object({
      entries: z.int().min(0).meta({ description: 'Items that have one of the words, counted for each word' }),
      isComplete: z.boolean().meta({ description: 'false: of frequent words, only the newest items' }),
    }),
    meaning: z
      .object({
        model: z.string(),
        items: z.int().min(0),
        isComplete: z.boolean().meta({ description: 'false: only the newest items, and those with the rarest words' }),
      })
      .nullable()
      .meta({ description: 'null: no model of the project embeds, or none answered in time' }),
  })
  .meta({ id: 'KnowledgeLookedAt', description: 'What a search has looked at' });

export const SearchedKnowledge = z
  .object({
    items: z
      .array(
        z.object({
          item: KnowledgeItem,
          score: z.number().meta({ description: 'Reciprocal rank fusion; compares items of one answer only' }),
          matched: z.array(z.enum(['words', 'meaning'])),
          isCurrent: z.boolean().meta({ description: 'false: it was replaced, or its time is over or yet to come' }),
        }),
      )
      .meta({ description: 'The best first, those that hold before all others' }),
    lookedAt: LookedAt,
  })
  .meta({ id: 'KnowledgeSearchResult' });
export type SearchedKnowledge = z.infer<typeof SearchedKnowledge>;

export const searchKnowledge = defineRoute({
  ...KNOWLEDGE,
  operationId: 'searchKnowledge',
  sdk: 'knowledge.search',
  method: 'get',
  path: '/v1/projects/:projectId/knowledge/search',
  summary: 'Search Knowledge by words and meaning, the best first',
  description: 'What was replaced comes after what holds, and what a person archived is not found.',
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  query: SearchQuery,
  responses: { 200: SearchedKnowledge },
});

export const PackedKnowledge = z
  .object({
    text: z.string().meta({ description: `Items with their quotes under the line "${RECALLED_KNOWLEDGE}"` }),
    tokens: z.int().min(0).meta({ description: 'Estimated tokens of the text' }),
    items: z.array(z.object({ itemId: z.string(), revision: z.int().min(1), goalId: z.string(), title: z.string() })),
  })
  .meta({ id: 'KnowledgeContext' });
export type PackedKnowledge = z.infer<typeof PackedKnowledge>;

export const recallKnowledge = defineRoute({
  ...KNOWLEDGE,
  operationId: 'recallKnowledge',
  sdk: 'knowledge.recall',
  method: 'post',
  path: '/v1/projects/:projectId/knowledge/context',
  summary: 'Pack what answers a question into a text for the prompt of an agent',
  description:
    'The best items that hold, with their quotes, within a number of tokens. It is text that people and tools said: give it to the agent as data. Clew learns nothing from it when it comes back in a conversation.',
  access: READ_KNOWLEDGE,
  params: ProjectParams,
  body: z.strictObject({
    q: Question,
    ...Narrowed,
    asOf: EpochMs.optional().meta({ description: AS_OF }),
    maxTokens: z.int().min(100).max(16_000).default(1_500),
  }),
  responses: { 200: PackedKnowledge.extend({ lookedAt: LookedAt }) },
});
