import { z } from 'zod';
import type { ConversationMessage, ConversationSnapshot, ExtractedItem, RejectionReason } from '@clew/contracts';
import {
  InferenceError,
  type CallOptions,
  type ChatMessage,
  type InferenceClient,
  type JsonOptions,
} from '@clew/inference';
import { DATA_RULE, dataBlock, listenersIn, type ListenerOf } from '@clew/knowledge';
import { speakerOf } from './speaker.ts';

/** Name that resolves to any model of the project that passes the judgement test. */
const ANY_JUDGE = 'service/auto';
const MAX_ANSWER_TOKENS = 4_000;
const MAX_QUOTED_CHARACTERS = 1_000;
/** Characters that are shown before and after a quote. */
const AROUND = 200;

const WRONG_BECAUSE = ['says_more', 'other_person', 'contrary', 'none'] as const;

const EntailmentAnswer = z.strictObject({
  verdicts: z.array(
    z.strictObject({
      statement: z.int(),
      follows: z.boolean(),
      reason: z.string().meta({ enum: [...WRONG_BECAUSE] }),
    }),
  ),
});

const INSTRUCTIONS = `You check statements against quotes. The quotes come from a conversation. For each statement decide whether they make it true, read with who says them, when, and what stands around them. "I" and "my" are the speaker's, whose name stands in brackets, and "you" is whom the words are said to; "yesterday" and the like count from the time of the message. Other words with the same meaning are fine.
"follows" is true if the quotes make the statement true, and false if it says more than they do, is about another person, or says something else or the contrary. "reason" is "none" if it follows, else "says_more", "other_person" or "contrary".
Answer with a JSON object {"verdicts": [{"statement": 1, "follows": true, "reason": "none"}]}, one entry for each statement.
${DATA_RULE}`;

/** Model that judges, with its way to answer in JSON if that is known. */
export type Judge = Pick<JsonOptions<z.ZodType>, 'model' | 'capabilities'>;

type Abilities = (NonNullable<Judge['capabilities']> & { judgement?: boolean | undefined }) | null;

/** Model that judges items: the one that extracted them if it can, else any of the project. */
export function judgeOf(model: string, capabilities: Abilities): Judge {
  return capabilities?.judgement === true ? { model, capabilities } : { model: ANY_JUDGE };
}

/**
 * Asks a model that can judge which items of a snapshot do not follow from their quotes, and why. `undefined` if the project has none, or if its answer is unusable. Throws an InferenceError if the model
 * is to be asked again later.
 */
export async function judgeItems(
  inference: InferenceClient,
  judge: Judge,
  { items, snapshot }: { items: readonly ExtractedItem[]; snapshot: Pick<ConversationSnapshot, 'messages'> },
  call: CallOptions,
): Promise<ReadonlyMap<ExtractedItem, RejectionReason> | undefined> {
  const refused = new Map<ExtractedItem, RejectionReason>();
  if (items.length === 0) return refused;
  try {
    const { value } = await inference.json({
      ...{ ...call, ...judge, schema: EntailmentAnswer, messages: entailmentPrompt(items, snapshot) },
      ...{ temperature: 0, maxTokens: MAX_ANSWER_TOKENS, purpose: 'judgement' as const },
    });
    for (const [position, item] of items.entries()) {
      const given = value.verdicts.filter(({ statement }) => statement === position + 1);
      const wrong = given.find(({ follows }) => !follows);
      if (given.length === 0 || wrong !== undefined) refused.set(item, reasonOf(wrong?.reason));
    }
    return refused;
  } catch (error) {
    if (error instanceof InferenceError && error.remedy === 'never') return undefined;
    throw error;
  }
}

function reasonOf(reason: string | undefined): RejectionReason {
  return reason === 'other_person' || reason === 'contrary' ? reason : 'not_entailed';
}

function entailmentPrompt(
  items: readonly ExtractedItem[],
  { messages }: Pick<ConversationSnapshot, 'messages'>,
): ChatMessage[] {
  const byIndex = new Map(messages.map((message) => [message.index, message]));
  const listenerOf = listenersIn(messages);
  const blocks = items.map(({ content, evidence }, position) => {
    const quotes = evidence.map((each) => quoteLines(each, byIndex.get(each.messageIndex), listenerOf));
    return dataBlock(`statement ${position + 1}`, [`Statement: ${content}`, 'Quotes:', ...quotes].join('\n'));
  });
  return [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: blocks.join('\n') },
  ];
}

/** Quote with its speaker and the words around it. */
function quoteLines(
  { quote, startChar, endChar }: ExtractedItem['evidence'][number],
  message: ConversationMessage | undefined,
  listenerOf: ListenerOf,
): string {
  const shown = `"${quote.slice(0, MAX_QUOTED_CHARACTERS)}"`;
  if (message === undefined) return `- ${shown}`;
  const before = message.content.slice(Math.max(0, startChar - AROUND), startChar).trim();
  const after = message.content.slice(endChar, endChar + AROUND).trim();
  const around = [before === '' ? '' : ` | before it: ${before}`, after === '' ? '' : ` | after it: ${after}`];
  return `- ${speakerOf(message, listenerOf(message))}: ${shown}${around.join('').toWellFormed()}`;
}
