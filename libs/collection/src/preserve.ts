import type { ConversationSnapshot, DiagnosedConversation } from '@clew/contracts';
import { isOpenProblem, successOf } from '@clew/rules';
import { conversationExample } from './conversation-example.ts';
import { refused, type CollectOptions, type Decision } from './decision.ts';
import { derivationKeyOf } from './derivation.ts';

/** Probability of failure from which a conversation is no model for others, however it ended. */
const LIKELY_FAILED = 0.4;

/**
 * Decides on a conversation for `preserve_successful_behavior`: the answer that reached what the user wanted, with all
 * that stood before it. There must be a sign of success, no open problem of medium severity or above, and, unless a
 * person or an evaluator has scored it, no likely failure.
 */
export function preserve(
  snapshot: ConversationSnapshot,
  diagnosed: DiagnosedConversation | undefined,
  { datasetId, redaction, signal }: CollectOptions,
): Decision {
  if (diagnosed === undefined) return refused('not_analysed');
  if (snapshot.truncated) return refused('conversation_too_long');
  const success = signal === undefined ? successOf(snapshot) : { signal };
  if ('missing' in success) return refused(success.missing);
  const { kind, answerAt } = success.signal;
  if (diagnosed.problems.some(isOpenProblem)) return refused('open_problem');
  if (kind !== 'score' && (diagnosed.score ?? 0) > LIKELY_FAILED) return refused('likely_failed');
  const shown = snapshot.messages.slice(0, answerAt + 1);
  if (shown.some(({ textExpired }) => textExpired === true)) return refused('words_expired');
  const expected = shown.at(-1);
  if (expected === undefined) return refused('no_answer');
  const { conversationId } = snapshot;
  const derivationKey = derivationKeyOf({
    ...{ datasetId, objective: 'preserve_successful_behavior', conversationId, messages: shown },
  });
  const made = conversationExample(snapshot, { shown, expected, derivationKey }, redaction);
  return made.status === 'refused' ? made : { ...made, because: kind };
}
