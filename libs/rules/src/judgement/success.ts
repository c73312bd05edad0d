import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { meaningOfScores } from '../conversation/score-meaning.ts';
import { nameWords } from '../conversation/tool-names.ts';
import { hasPhrase } from '../text/phrases.ts';
import { viewOf, type ConversationView, type ViewedCall } from '../view/conversation-view.ts';
import { CONFIRMED, CONFIRMED_WITH_DOUBT } from '../vocabulary/confirmations.ts';
import { FAILURE_ADMITTED } from '../vocabulary/failure.ts';
import { agreementBefore } from './changes.ts';

/** Sign that a conversation reached what the user wanted. */
export interface SuccessSignal {
  readonly kind: 'score' | 'confirmation' | 'closing_tool';
  /** Index of the message that shows it; null for a score of the whole conversation. */
  readonly messageIndex: number | null;
  /** Position of the answer that it is about, among the messages. */
  readonly answerAt: number;
}

/** Success of a conversation, or the reason why none is shown. */
export type Success =
  { readonly signal: SuccessSignal } | { readonly missing: 'failing_score' | 'no_success_signal' | 'no_answer' };

/** Words of a confirmation: whoever writes more has more to say. */
const MAX_CONFIRMATION_WORDS = 60;

/**
 * Finds the sign that a conversation succeeded: its scores alone if people or evaluators gave any that count in its
 * project, otherwise the user's confirmation after an answer, otherwise a call that changed something and was the last
 * thing to do.
 */
export function successOf(snapshot: ConversationSnapshot): Success {
  const view = viewOf(snapshot);
  const { scores } = snapshot;
  const confirmation = confirmationIn(view);
  const end = confirmation === undefined ? view.messages.length : view.positionOf(confirmation);
  const meaningOf = meaningOfScores(snapshot);
  if (scores.some((score) => meaningOf(score) === 'failure')) return { missing: 'failing_score' };
  const passing = scores.find((score) => meaningOf(score) === 'success');
  if (passing !== undefined) {
    const answerAt = answerBefore(view, end, passing.traceId) ?? answerBefore(view, end);
    if (answerAt === undefined) return { missing: 'no_answer' };
    return { signal: { kind: 'score', messageIndex: null, answerAt } };
  }
  if (confirmation !== undefined) {
    const answerAt = answerBefore(view, end);
    if (answerAt === undefined) return { missing: 'no_answer' };
    return { signal: { kind: 'confirmation', messageIndex: confirmation.index, answerAt } };
  }
  return closedByTool(view) ?? { missing: 'no_success_signal' };
}

/** Last message of the user, if it confirms what was done and asks for nothing more. */
function confirmationIn(view: ConversationView): ConversationMessage | undefined {
  const last = view.userMessages.at(-1);
  if (last === undefined || view.userMessages.length < 2) return undefined;
  const sentences = view.sentences(last);
  const words = sentences.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const isDone =
    words <= MAX_CONFIRMATION_WORDS &&
    !sentences.some(({ isQuestion }) => isQuestion) &&
    hasPhrase(CONFIRMED, sentences) &&
    !hasPhrase(CONFIRMED_WITH_DOUBT, sentences);
  return isDone && callsAfter(view, view.positionOf(last)).length === 0 ? last : undefined;
}

/**
 * Finds a last call that changed something, handed a result in or handed the case over as the user wished, without an
 * error, after which nobody admits a failure.
 */
function closedByTool(view: ConversationView): Success | undefined {
  const call = view.calls.at(-1);
  if (call?.result === undefined || call.error !== undefined || !closes(view, call)) return undefined;
  const asked = view.userMessages.at(-1);
  if (asked !== undefined && view.positionOf(asked) > call.position) return undefined;
  const said = answerBefore(view, view.messages.length) ?? -1;
  const answer = view.messages[said];
  if (said > call.position && answer !== undefined && hasPhrase(FAILURE_ADMITTED, view.sentences(answer)))
    return undefined;
  const answerAt = Math.max(said, call.position);
  return { signal: { kind: 'closing_tool', messageIndex: call.result.index, answerAt } };
}

/** Words of tools that run a program: a step on the way, whatever it changes. */
const RUNNING = new Set(['run', 'execute', 'exec', 'code', 'bash', 'shell', 'terminal', 'python', 'command', 'script']);

function closes(view: ConversationView, call: ViewedCall): boolean {
  const { changes, notifies, answers, handsOver, repeats } = call.character;
  if (repeats || nameWords(call.call.name).some((word) => RUNNING.has(word))) return false;
  if (handsOver) return agreementBefore(view, call).kind === 'given';
  return changes || notifies || answers;
}

function callsAfter(view: ConversationView, position: number): ViewedCall[] {
  return view.calls.filter((call) => call.position > position);
}

/** Position of the last words of an agent before a position, in one trace if it is given. */
function answerBefore({ messages }: ConversationView, end: number, traceId?: string): number | undefined {
  const at = messages
    .slice(0, end)
    .findLastIndex(
      ({ role, content, traceId: own }) =>
        role === 'assistant' && content.trim() !== '' && (traceId === undefined || own === traceId),
    );
  return at === -1 ? undefined : at;
}
