import { z } from 'zod';
import {
  MAX_BECAUSE_LENGTH,
  type adjudicationRequested,
  type CandidateVerdict,
  type ConversationMessage,
  type EnvelopeOf,
} from '@clew/contracts';
import { foundQuote } from '@clew/review';

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
      quotes: only.quotes.map(({ messageIndex, quote }) => ({
        stepIndex: messageIndex,
        quote: foundQuote(byIndex.get(messageIndex), quote)?.quote ?? quote,
      })),
    };
  });
}

function isSupported(
  { verdict, quotes }: JudgeAnswer['verdicts'][number],
  candidate: Candidate,
  messages: ReadonlyMap<number, ConversationMessage>,
): boolean {
  if (quotes.length === 0 || quotes.length > MAX_QUOTES) return false;
  if (quotes.some(({ messageIndex, quote }) => foundQuote(messages.get(messageIndex), quote) === undefined))
    return false;
  const shown = new Set(candidate.evidence.map(({ stepIndex }) => stepIndex));
  if (!quotes.some(({ messageIndex }) => shown.has(messageIndex))) return false;
  return verdict === 'confirmed' || quotes.some(({ messageIndex }) => messages.get(messageIndex)?.role !== 'tool');
}
