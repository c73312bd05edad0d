import type { DiagnosedProblem, SnapshotMessage } from '@clew/contracts';
import { saysSomething } from './mistake.ts';

/**
 * Keys of Rules that point at what the assistant had before it, and not at what it made of it: an error that it did not
 * take up, instructions that it obeyed, a request that it dropped.
 */
const MISTAKE_FOLLOWS = new Set(['tool_error_unhandled', 'prompt_injection', 'dropped_request']);

/** Keys of Rules about time and cost: no other words would have been better. */
const NO_WORDS_TO_CORRECT = new Set(['latency_outlier', 'token_blow_up', 'step_budget_exhausted']);

/**
 * Finds the position of the message of an assistant in which a problem was made. It is the anchor itself; otherwise the
 * message that called the tool, or the one that the user answers.
 */
export function mistakenStepOf(
  messages: readonly SnapshotMessage[],
  { anchor: { stepIndex }, ruleKey }: Pick<DiagnosedProblem, 'anchor' | 'ruleKey'>,
): number | undefined {
  const anchorAt = messages.findIndex(({ index }) => index === stepIndex);
  const anchor = messages[anchorAt];
  if (anchor === undefined || NO_WORDS_TO_CORRECT.has(ruleKey)) return undefined;
  if (anchor.role === 'assistant') return saysSomething(anchor) ? anchorAt : undefined;
  if (anchor.role === 'system') return undefined;
  if (MISTAKE_FOLLOWS.has(ruleKey))
    return found(messages.findIndex((each, at) => at > anchorAt && isOfAssistant(each)));
  const before = messages.slice(0, anchorAt);
  return anchor.role === 'tool' ? callBefore(before, anchor) : found(before.findLastIndex(isOfAssistant));
}

/** Position of the call that a result answers: by its id, else the last one of the tool. */
function callBefore(before: readonly SnapshotMessage[], { toolCallId, name }: SnapshotMessage): number | undefined {
  const withId = before.findLastIndex(({ toolCalls = [] }) =>
    toolCalls.some(({ id }) => id !== undefined && id === toolCallId),
  );
  if (withId !== -1) return withId;
  return found(
    before.findLastIndex(({ toolCalls = [] }) => toolCalls.some((call) => name === undefined || call.name === name)),
  );
}

function isOfAssistant(message: SnapshotMessage): boolean {
  return message.role === 'assistant' && saysSomething(message);
}

function found(at: number): number | undefined {
  return at === -1 ? undefined : at;
}
