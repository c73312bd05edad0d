import { z } from 'zod';
import { findNearItems, ITEM_RELATIONS, type ExtractedItem, type ItemRelation, type NearItem } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError } from '@clew/kernel';
import { InferenceError, type CallOptions, type ChatMessage, type InferenceClient } from '@clew/inference';
import { DATA_RULE, dataBlock } from '@clew/knowledge';
import type { Logger } from '@clew/runtime';
import type { Judge } from './entailment.ts';

const MAX_ANSWER_TOKENS = 4_000;
/** Statements of one extraction that are compared; the others are merged by their words. */
const MAX_STATEMENTS = 20;

const ConsolidationAnswer = z.strictObject({
  relations: z
    .array(
      z.strictObject({
        statement: z.int(),
        known: z.int(),
        relation: z.string().meta({ enum: [...ITEM_RELATIONS] }),
      }),
    )
    .max(400),
});

const INSTRUCTIONS = `You compare new statements with those that a team already holds. For each new statement and each known one below it, decide how the new one relates to the known one:
- "same": both say the same, in other words or another language;
- "refines": the new one says the same and adds something to it, about the same thing;
- "supersedes": both are about the same thing, and the known one no longer holds because of the new one: it has changed since, or was corrected;
- "contradicts": both are about the same thing and cannot both hold, and nothing shows which one is later;
- "unrelated": both can hold side by side: they are about other persons, things, times, cases or aspects, however alike they read.
If in doubt, it is "unrelated".
Answer with a JSON object {"relations": [{"statement": 1, "known": 1, "relation": "same"}]}, one entry for each pair.
${DATA_RULE}`;

/** Facts that a comparison needs. */
export interface Consolidation {
  inference: InferenceClient;
  knowledge: ServiceClient;
  judge: Judge;
  projectId: string;
  goalId: string;
  /** Time of the newest quote of each item. */
  saidAtOf(item: ExtractedItem): number;
  logger: Logger;
}

/**
 * Relates new items to the nearest existing ones of their goal, with one call of a model that can judge. Without near
 * items there is no call. What cannot be compared now keeps no relation, and is merged by its words: the items were paid
 * for.
 */
export async function relatedItems(
  items: readonly ExtractedItem[],
  { inference, knowledge, judge, projectId, goalId, saidAtOf, logger }: Consolidation,
  call: CallOptions,
): Promise<ExtractedItem[]> {
  const compared = items.slice(0, MAX_STATEMENTS);
  if (compared.length === 0) return [...items];
  try {
    const statements = compared.map(({ content, embedding }) => ({
      content,
      ...(embedding === undefined ? {} : { embedding }),
    }));
    const { near } = await knowledge.call(findNearItems, { params: { projectId, goalId }, body: { statements } });
    if (near.every((known) => known.length === 0)) return [...items];
    const { value } = await inference.json({
      ...{ ...call, ...judge, schema: ConsolidationAnswer, messages: promptOf(compared, near, saidAtOf) },
      ...{ temperature: 0, maxTokens: MAX_ANSWER_TOKENS, purpose: 'judgement' as const },
    });
    return items.map((item, position) => withRelations(item, near[position] ?? [], value.relations, position));
  } catch (error) {
    call.signal?.throwIfAborted();
    logger.warn({ err: error, goalId }, 'new items could not be compared with existing ones');
    if (error instanceof InferenceError || error instanceof AppError) return [...items];
    throw error;
  }
}

function withRelations(
  item: ExtractedItem,
  known: readonly NearItem[],
  answered: z.infer<typeof ConsolidationAnswer>['relations'],
  position: number,
): ExtractedItem {
  const relations = known.flatMap(({ itemId, revision }, at): ItemRelation[] => {
    const said = answered.filter((each) => each.statement === position + 1 && each.known === at + 1);
    // A pair that is left out, or answered twice, is not compared: its words decide.
    const relation = said.length === 1 ? ITEM_RELATIONS.find((name) => name === said[0]?.relation) : undefined;
    return relation === undefined ? [] : [{ itemId, revision, relation }];
  });
  return relations.length === 0 ? item : { ...item, relations };
}

function promptOf(
  items: readonly ExtractedItem[],
  near: readonly (readonly NearItem[])[],
  saidAtOf: (item: ExtractedItem) => number,
): ChatMessage[] {
  const blocks = items.flatMap((item, position) => {
    const known = near[position] ?? [];
    if (known.length === 0) return [];
    const lines = known.map(({ content, saidAt }, at) => `Known ${at + 1}${when(saidAt)}: ${content}`);
    const stated = `Statement ${position + 1}${when(saidAtOf(item))}: ${item.content}`;
    return [dataBlock(`statement ${position + 1}`, [stated, ...lines].join('\n'))];
  });
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: blocks.join('\n') },
  ];
}

function when(saidAt: number): string {
  return ` (said on ${new Date(saidAt).toISOString().slice(0, 10)})`;
}
