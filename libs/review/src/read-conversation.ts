import type { ConversationSnapshot, ReviewedProblem, ReviewVerdict } from '@clew/contracts';
import { shorten } from '@clew/rules';
import type { z } from 'zod';
import { checkedProblems } from './problems.ts';
import type { PromptMessage } from './prompt-message.ts';
import { ReviewAnswer, ScepticAnswer } from './review-answer.ts';
import { maxAnswerTokensOf, maxCharactersOf, reviewPrompt, type ReviewContext } from './review-prompt.ts';
import { scepticPrompt } from './sceptic-prompt.ts';
import { afterSecondLook, graveOnlyIfFailed, needsSecondLook, unconfirmed, type LookedAt } from './second-look.ts';
import { isTaintedForJudge } from './tainted-message.ts';

/** Question to a model, and the shape of its answer. */
export interface Question<Answer extends z.ZodType> {
  schema: Answer;
  messages: readonly PromptMessage[];
  maxTokens: number;
  /** Name of the question among those about one conversation. */
  name: 'review' | 'second-look';
}

/** Asks a model. A failure of the second look is reported as `undefined`: the review counts without it. */
export interface AskModel {
  (question: Question<typeof ReviewAnswer>): Promise<ReviewAnswer>;
  (question: Question<typeof ScepticAnswer>): Promise<ScepticAnswer | undefined>;
}

/** Result of reading a conversation. */
export interface ConversationReading {
  wanted: string;
  verdict: ReviewVerdict;
  failureProbability: number;
  /** First mistake from which the conversation did not recover; null if it did not fail. */
  decisiveStep: number | null;
  problems: ReviewedProblem[];
  /** Problems without exact quotes, and those that the second look refuted. */
  dropped: number;
  refuted: number;
  /** Whether some message that was shown speaks to its reader. */
  isTainted: boolean;
}

const MAX_WANTED = 1_000;

/**
 * Reads a conversation with a model: what the user wanted, whether it was reached, and problems with exact quotes. Grave
 * problems are put to a sceptic, which sees them with the rules and their surroundings; what it refutes is dropped, and
 * what it does not confirm is medium at the most.
 */
export async function readConversation(
  ask: AskModel,
  snapshot: ConversationSnapshot,
  context: ReviewContext,
): Promise<ConversationReading> {
  const { contextLength } = context;
  const question = reviewPrompt(snapshot, context);
  const maxTokens = maxAnswerTokensOf(contextLength);
  const answer = await ask({ name: 'review', schema: ReviewAnswer, messages: question.messages, maxTokens });
  const { problems: checked, dropped } = checkedProblems(answer, snapshot);
  const failureProbability = Math.min(1, Math.max(0, answer.failureProbability));
  const found = graveOnlyIfFailed(checked, failureProbability);
  const { problems, refuted } = await lookedAtTwice(ask, snapshot, found, { maxTokens, contextLength });
  return {
    wanted: shorten(answer.wanted, MAX_WANTED),
    verdict: answer.verdict,
    failureProbability,
    decisiveStep: snapshot.messages.some(({ index }) => index === answer.decisiveMessage)
      ? answer.decisiveMessage
      : null,
    ...{ problems, dropped, refuted, isTainted: question.shown.some(isTaintedForJudge) },
  };
}

async function lookedAtTwice(
  ask: AskModel,
  snapshot: ConversationSnapshot,
  found: ReviewedProblem[],
  { maxTokens, contextLength }: { maxTokens: number; contextLength: number | null },
): Promise<LookedAt> {
  const grave = found.filter(needsSecondLook);
  if (grave.length === 0) return { problems: found, refuted: 0 };
  const messages = scepticPrompt(snapshot, grave, maxCharactersOf(contextLength));
  const said = await ask({ name: 'second-look', schema: ScepticAnswer, messages, maxTokens });
  if (said !== undefined) return afterSecondLook(found, grave, said);
  return { problems: found.map((problem) => (needsSecondLook(problem) ? unconfirmed(problem) : problem)), refuted: 0 };
}
