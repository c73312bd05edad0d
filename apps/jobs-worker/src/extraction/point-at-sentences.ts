import { z } from 'zod';
import type { ChatMessage } from '@clew/inference';
import {
  DATA_RULE,
  dataBlock,
  claimOf,
  lastingSentences,
  type ClaimedItem,
  type LastingSentence,
} from '@clew/knowledge';
import type { Chunk } from './plan-extraction.ts';

/** Question for a model that cannot judge: which of some sentences, selected without the model, teach something. */
export interface Pointing {
  /** Exactly one verdict for each sentence, so that an answer that follows the schema always ends. */
  schema: z.ZodType<Record<string, boolean>>;
  messages: ChatMessage[];
  maxTokens: number;
  /** Claims made from the sentences that the model marked as true. */
  claimsOf(verdicts: Record<string, boolean>): ClaimedItem[];
}

/** Maximum sentences per chunk; further ones, at its end, are left out. */
const MAX_SENTENCES = 24;
/** Tokens per verdict: a number, a colon, a word and a comma, with room to spare. */
const TOKENS_PER_VERDICT = 12;
const TOKENS_AROUND = 32;

const INSTRUCTIONS = `Each numbered sentence was said in a conversation. Decide for each whether it tells something lasting that serves the goal below: a rule, a way to do things, a correction, or what somebody always wants.
Answer with a JSON object that gives true or false for each number, such as {"1": true, "2": false}.
${DATA_RULE}`;

/** Builds the question about a chunk; `undefined` if no sentence in it may last, which saves the call. */
export function pointingAt(goal: string, { fresh }: Chunk): Pointing | undefined {
  const sentences = lastingSentences(fresh).slice(0, MAX_SENTENCES);
  if (sentences.length === 0) return undefined;
  const numbers = sentences.map((_, position) => String(position + 1));
  return {
    schema: z.strictObject(Object.fromEntries(numbers.map((number) => [number, z.boolean()]))),
    messages: [
      { role: 'system', content: `${INSTRUCTIONS}\n\nThe goal: ${goal}` },
      { role: 'user', content: dataBlock('sentences', sentences.map(lineOf).join('\n')) },
    ],
    maxTokens: TOKENS_AROUND + TOKENS_PER_VERDICT * sentences.length,
    claimsOf: (verdicts) => sentences.filter((_, position) => verdicts[String(position + 1)] === true).map(claimOf),
  };
}

function lineOf({ speaker, quote }: LastingSentence, position: number): string {
  return `${position + 1}. ${speaker}: ${quote}`;
}
