import { z } from 'zod';
import {
  findNearItems,
  ITEM_RELATIONS,
  type ExtractedItem,
  type ItemRelation,
  type NearItem,
  type SiblingRelation,
} from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { AppError } from '@clew/kernel';
import { InferenceError, type CallOptions, type ChatMessage, type InferenceClient } from '@clew/inference';
import { DATA_RULE, dataBlock, shareOfCommonWords, tellingWords } from '@clew/knowledge';
import type { Logger } from '@clew/runtime';
import type { Judge } from './entailment.ts';

const MAX_ANSWER_TOKENS = 4_000;
/** Statements of one extraction that are compared; the others are merged by their words. */
const MAX_STATEMENTS = 40;
/** Earlier items of the same extraction that one is compared with, and the share of common words that calls for it. */
const MAX_SIBLINGS = 3;
const MIN_COMMON = 0.15;
/** Share that a common subject adds. */
const SAME_SUBJECT = 0.15;

const ConsolidationAnswer = z.strictObject({
  statements: z
    .array(
      z.strictObject({
        statement: z.int(),
        related: z
          .array(z.strictObject({ known: z.int(), relation: z.string().meta({ enum: [...ITEM_RELATIONS] }) }))
          .max(20),
      }),
    )
    .max(100),
});

const INSTRUCTIONS = `You compare new statements with those that a team already holds. For each new statement and each known one below it, decide how the new one relates to the known one:
- "same": both say the same, in other words or another language;
- "refines": the new one says the same and adds something to it, about the same thing;
- "supersedes": both are about the same thing, and the known one no longer holds because of the new one: it has changed since, or was corrected;
- "contradicts": both are about the same thing and cannot both hold, and nothing shows which one is later;
- "unrelated": both can hold side by side: they are about other persons, things, times, cases or aspects, however alike they read.
If in doubt, it is "unrelated".
Answer with a JSON object {"statements": [{"statement": 1, "related": [{"known": 2, "relation": "same"}]}, {"statement": 2, "related": []}]}, one entry for each statement; known ones that you leave out of "related" are unrelated.
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

/** Statement that a new one is compared with: an item of the goal, or an earlier one of the same extraction. */
type Known = NearItem | { place: number; content: string; saidAt: number };

/**
 * Relates new items to the nearest existing ones of their goal, and to earlier ones of the same extraction, with one call
 * of a model that can judge. Returns the items in the order in which they were said. Without anything near there is no
 * call. What cannot be compared now keeps no relation, and is merged by its words: the items were paid for.
 */
export async function relatedItems(
  items: readonly ExtractedItem[],
  { inference, knowledge, judge, projectId, goalId, saidAtOf, logger }: Consolidation,
  call: CallOptions,
): Promise<ExtractedItem[]> {
  const inOrder = items.toSorted((one, other) => saidAtOf(one) - saidAtOf(other));
  const compared = inOrder.slice(0, MAX_STATEMENTS);
  if (compared.length === 0) return inOrder;
  try {
    const statements = compared.map(({ content, subject, embedding }) => ({
      content,
      ...(subject === undefined || subject.kind === 'project' ? {} : { subject: subject.name }),
      ...(embedding === undefined ? {} : { embedding }),
    }));
    const { near } = await knowledge.call(findNearItems, { params: { projectId, goalId }, body: { statements } });
    const known = near.map((some, place): Known[] => [...some, ...siblingsBefore(compared, place, saidAtOf)]);
    if (known.every((some) => some.length === 0)) return inOrder;
    const { value } = await inference.json({
      ...{ ...call, ...judge, schema: ConsolidationAnswer, messages: promptOf(compared, known, saidAtOf) },
      ...{ temperature: 0, maxTokens: MAX_ANSWER_TOKENS, purpose: 'judgement' as const },
    });
    return inOrder.map((item, place) => withRelations(item, known[place] ?? [], value.statements, place));
  } catch (error) {
    call.signal?.throwIfAborted();
    logger.warn({ err: error, goalId }, 'new items could not be compared with existing ones');
    if (error instanceof InferenceError || error instanceof AppError) return inOrder;
    throw error;
  }
}

/** Earlier items of an extraction that share words with one of them, the nearest first. */
function siblingsBefore(
  items: readonly ExtractedItem[],
  place: number,
  saidAtOf: (item: ExtractedItem) => number,
): Known[] {
  const { content = '', subject } = items[place] ?? {};
  const own = tellingWords(content);
  return items
    .slice(0, place)
    .map((item, at) => {
      const isOfSubject = subject !== undefined && subject.kind !== 'project' && item.subject?.name === subject.name;
      const share = shareOfCommonWords(own, tellingWords(item.content)) + (isOfSubject ? SAME_SUBJECT : 0);
      return { item, at, share };
    })
    .filter(({ share }) => share > MIN_COMMON)
    .toSorted((one, other) => other.share - one.share)
    .slice(0, MAX_SIBLINGS)
    .map(({ item, at }) => ({ place: at, content: item.content, saidAt: saidAtOf(item) }));
}

function withRelations(
  item: ExtractedItem,
  known: readonly Known[],
  answered: z.infer<typeof ConsolidationAnswer>['statements'],
  place: number,
): ExtractedItem {
  const relations: ItemRelation[] = [];
  const siblings: SiblingRelation[] = [];
  const own = answered.filter(({ statement }) => statement === place + 1);
  for (const [at, one] of known.entries()) {
    const relation = relationOf(own, at + 1);
    if (relation === undefined) continue;
    if ('place' in one) siblings.push({ item: one.place, relation });
    else relations.push({ itemId: one.itemId, revision: one.revision, relation });
  }
  return {
    ...item,
    ...(relations.length === 0 ? {} : { relations }),
    ...(siblings.length === 0 ? {} : { siblings }),
  };
}

/** Relation in an answer; `undefined`, so that its words decide, for a statement that is left out or answered twice. */
function relationOf(
  own: z.infer<typeof ConsolidationAnswer>['statements'],
  known: number,
): ItemRelation['relation'] | undefined {
  const [statement, ...others] = own;
  if (statement === undefined || others.length > 0) return undefined;
  const said = statement.related.filter((each) => each.known === known);
  if (said.length === 0) return 'unrelated';
  return said.length === 1 ? ITEM_RELATIONS.find((name) => name === said[0]?.relation) : undefined;
}

function promptOf(
  items: readonly ExtractedItem[],
  near: readonly (readonly Known[])[],
  saidAtOf: (item: ExtractedItem) => number,
): ChatMessage[] {
  const blocks = items.flatMap((item, place) => {
    const known = near[place] ?? [];
    if (known.length === 0) return [];
    const lines = known.map(({ content, saidAt }, at) => `Known ${at + 1}${when(saidAt)}: ${content}`);
    const stated = `Statement ${place + 1}${when(saidAtOf(item))}: ${item.content}`;
    return [dataBlock(`statement ${place + 1}`, [stated, ...lines].join('\n'))];
  });
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: blocks.join('\n') },
  ];
}

function when(saidAt: number): string {
  return ` (said on ${new Date(saidAt).toISOString().slice(0, 10)})`;
}
