import { z } from 'zod';
import {
  MAX_BECAUSE_LENGTH,
  type adjudicationRequested,
  type CandidateVerdict,
  type ConversationMessage,
  type EnvelopeOf,
} from '@clew/contracts';

export type AdjudicationCommand = EnvelopeOf<typeof adjudicationRequested>;
export type Candidate = AdjudicationCommand['data']['candidates'][number];

/** Schema of a judge's answer. It names candidates by their numbers, and messages by the indices in the prompt. */
export const JudgeAnswer = z.strictObject({
  verdicts: z
    .array(
      z.strictObject({
        candidate: z.int(),
        verdict: z.enum(['confirmed', 'refuted', 'unclear']),
        because: z.string(),
        quotes: z.array(z.strictObject({ messageIndex: z.int(), quote: z.string() })).max(20),
      }),
    )
    .max(50),
});
export type JudgeAnswer = z.infer<typeof JudgeAnswer>;

/**
 * Minimum length of a quote in characters. A shorter one occurs in almost any message; it counts only as a whole
 * message.
 */
const MIN_QUOTE_LENGTH = 8;
const MAX_QUOTES = 10;

/**
 * Accepted verdict for each candidate. Each quote must be an exact part of the message that it names in the snapshot,
 * and at least one must come from a message that shows the suspected problem; otherwise the verdict is `none`. A tool
 * result alone cannot refute a candidate, because it may hold text that somebody wants the judge to read. While
 * `mayRefute` is false, every refutation is `none`.
 */
export function verdictsOf(
  answer: JudgeAnswer,
  candidates: readonly Candidate[],
  messages: readonly ConversationMessage[],
  mayRefute: boolean,
): CandidateVerdict[] {
  const byIndex = new Map(messages.map((message) => [message.index, message]));
  return candidates.map((candidate, position) => {
    const given = answer.verdicts.filter((verdict) => verdict.candidate === position + 1);
    const [only] = given;
    const none: CandidateVerdict = {
      ...{ clusterFingerprint: candidate.clusterFingerprint, verdict: 'none', quotes: [] },
      because: '',
    };
    // Two verdicts on one candidate count as none.
    if (only === undefined || given.length > 1 || only.verdict === 'unclear') return none;
    if (only.verdict === 'refuted' && !mayRefute) return none;
    if (!isSupported(only, candidate, byIndex)) return none;
    return {
      clusterFingerprint: candidate.clusterFingerprint,
      verdict: only.verdict,
      because: only.because.slice(0, MAX_BECAUSE_LENGTH).toWellFormed(),
      quotes: only.quotes.map(({ messageIndex, quote }) => ({ stepIndex: messageIndex, quote })),
    };
  });
}

function isSupported(
  { verdict, quotes }: JudgeAnswer['verdicts'][number],
  candidate: Candidate,
  messages: ReadonlyMap<number, ConversationMessage>,
): boolean {
  if (quotes.length === 0 || quotes.length > MAX_QUOTES) return false;
  if (!quotes.every(({ messageIndex, quote }) => isQuoteOf(messages.get(messageIndex), quote))) return false;
  const shown = new Set(candidate.evidence.map(({ stepIndex }) => stepIndex));
  if (!quotes.some(({ messageIndex }) => shown.has(messageIndex))) return false;
  return verdict === 'confirmed' || quotes.some(({ messageIndex }) => messages.get(messageIndex)?.role !== 'tool');
}

function isQuoteOf(message: ConversationMessage | undefined, quote: string): boolean {
  if (message === undefined || quote.trim() === '') return false;
  const texts = textsOf(message);
  return texts.some(
    (text) => text.includes(quote) && (quote.length >= MIN_QUOTE_LENGTH || text.trim() === quote.trim()),
  );
}

/** Texts of a message as a judge sees them: its content, then its tool calls. */
export function textsOf({ content, toolCalls = [] }: ConversationMessage): string[] {
  return [content, ...toolCalls.map((call) => `${call.name}(${argumentsText(call.arguments)})`)];
}

function argumentsText(given: unknown): string {
  return typeof given === 'string' ? given : (JSON.stringify(given) ?? '');
}
