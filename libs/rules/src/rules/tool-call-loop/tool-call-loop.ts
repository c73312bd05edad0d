import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { argumentsKey, jsonText, toolExchangesOf, type ToolExchange } from '../../conversation/tool-exchanges.ts';
import { toolCharacter } from '../../conversation/tool-names.ts';
import { agentOf, hasText, turnsOf, type Turn } from '../../conversation/turns.ts';
import {
  DEFAULT_RULE_CONFIGURATION,
  type EvidenceDraft,
  type Narrative,
  type Occurrence,
  type RuleDefinition,
  type SignalHit,
} from '../../rule.ts';
import { refusedAgainOf } from '../../links/refused-again.ts';
import { placedQuoteOf, shorten } from '../../text/quote.ts';
import { findLoops, type Loop } from './find-loops.ts';

/**
 * Loop of tool calls: the agent repeats the same call with the same arguments, or a cycle of two or three calls, and
 * nothing changes.
 *
 * Cluster: the agent and the tools of the cycle. The arguments differ between conversations; the cause of the loop does
 * not.
 */
export const toolCallLoop: RuleDefinition = {
  ruleId: 'rule_NFTM4R5MN799EGQ09SWJ68ZEDA',
  ruleKey: 'tool_call_loop',
  name: 'Tool-call loop',
  description:
    'The agent repeats the same tool calls with the same arguments three times or more, with unchanged results.',
  categoryKey: 'tool_use',
  keywordsMeaning: null,
  signals: [
    {
      name: 'identical_call_repeated',
      description: 'One tool was called three times or more in a row with the same arguments and the same result',
      defaultSeverity: 'medium',
      weight: 0.8,
    },
    {
      name: 'call_cycle_repeated',
      description: 'A circle of two or three calls was gone through three times or more with the same results',
      defaultSeverity: 'medium',
      weight: 0.8,
    },
    {
      name: 'loop_without_answer',
      description: 'The turn ended in the loop, without an answer to the user',
      defaultSeverity: 'medium',
      weight: 0.4,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot) {
    return turnsOf(snapshot).flatMap((turn) => occurrencesIn(snapshot, turn));
  },
};

/** Polling and retrying after a transient failure are meant to repeat; they are a loop only when they never stop. */
const PATIENT_ROUNDS = 6;
const RETRY_ROUNDS = 5;
/** Strength without recorded results, when a repeated call may be successful polling. */
const UNSEEN_RESULT_STRENGTH = 0.55;
const UNSEEN_RESULT_ROUNDS = 6;

const MAX_EVIDENCE_CALLS = 12;

/** Times and generated ids in a result change with every call and say nothing about progress. */
const VOLATILE =
  /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const IN_PROGRESS = /\b(?:pending|running|in[ _]progress|queued|processing|starting|building|waiting|not ready)\b/i;
const PASSING_FAILURE = /\b(?:429|502|503|504)\b|timed? ?out|rate.?limit|too many requests|unavailable|try again/i;
const HEAD_LENGTH = 4000;

function occurrencesIn(snapshot: ConversationSnapshot, turn: Turn): Occurrence[] {
  const exchanges = toolExchangesOf(turn.messages).filter((exchange) => exchange.call !== undefined);
  if (exchanges.length < 3) return [];
  // Refusals of one call again and again have a Finding of their own.
  const refused = new Set([...refusedAgainOf(snapshot).keys()].map(({ result }) => result));
  const beforeLastText = new Set(turn.messages.slice(0, Math.max(0, turn.messages.findLastIndex(hasText))));
  const callKeys = exchanges.map(callKeyOf);
  const stepKeys = exchanges.map((exchange, index) => `${callKeys[index] ?? ''}=>${resultKeyOf(exchange.result)}`);
  return findLoops(stepKeys).flatMap((loop): Occurrence[] => {
    const steps = exchanges.slice(loop.start, loop.start + loop.period * loop.rounds);
    const after = loop.start + loop.period * loop.rounds;
    // The next call of the same kind had a different result, so the wait was worthwhile.
    const endedInChange =
      callKeys[after] === callKeys[after - loop.period] && stepKeys[after] !== stepKeys[after - loop.period];
    const strength = strengthOf(steps, loop, endedInChange);
    if (strength === 0 || steps.every(({ result }) => result !== undefined && refused.has(result))) return [];
    const lastCall = steps.at(-1)?.callMessage;
    const isAnswered = lastCall !== undefined && beforeLastText.has(lastCall);
    return [toOccurrence(snapshot, steps, loop, strength, isAnswered || snapshot.scope !== 'conversation')];
  });
}

function callKeyOf({ toolName, call }: ToolExchange): string {
  return `${toolName}(${call === undefined ? '' : argumentsKey(call)})`;
}

function resultKeyOf(result: ConversationMessage | undefined): string {
  if (result === undefined) return '';
  return sha256Hex(`${result.content.replace(VOLATILE, '*')} ${result.error?.message ?? ''}`);
}

/** Clarity of a loop; 0 if the repetition has a good reason. */
function strengthOf(steps: readonly ToolExchange[], loop: Loop, endedInChange: boolean): number {
  const heads = steps.slice(0, loop.period).map((step) => step.result?.content.slice(0, HEAD_LENGTH) ?? '');
  const isPolling =
    steps.slice(0, loop.period).some((step) => toolCharacter(step.toolName).repeats) ||
    heads.some((head) => IN_PROGRESS.test(head));
  if (isPolling && (endedInChange || loop.rounds < PATIENT_ROUNDS)) return 0;
  const failure = steps[0]?.result?.error;
  const isRetry =
    loop.period === 1 && PASSING_FAILURE.test(`${heads[0] ?? ''} ${failure?.type ?? ''} ${failure?.message ?? ''}`);
  if (isRetry && (endedInChange || loop.rounds < RETRY_ROUNDS)) return 0;
  if (endedInChange && loop.rounds < RETRY_ROUNDS) return 0;
  const isUnseen = steps.every((step) => step.result === undefined);
  if (isUnseen && loop.rounds < UNSEEN_RESULT_ROUNDS) return UNSEEN_RESULT_STRENGTH;
  return Math.min(1, 0.85 + 0.05 * (loop.rounds - 3));
}

function toOccurrence(
  snapshot: ConversationSnapshot,
  steps: readonly ToolExchange[],
  loop: Loop,
  strength: number,
  isAnswered: boolean,
): Occurrence {
  const tools = steps.slice(0, loop.period).map((step) => step.toolName);
  const lastCall = steps.at(-1)?.callMessage;
  const agent = lastCall === undefined ? 'the agent' : agentOf(snapshot, lastCall);
  const name = loop.period === 1 ? 'identical_call_repeated' : 'call_cycle_repeated';
  const signals: SignalHit[] = [{ name, strength }];
  if (!isAnswered) signals.push({ name: 'loop_without_answer', strength: 1 });
  const [first, ...others] = evidenceOf(steps, loop);
  if (first === undefined) throw new RangeError('A loop has steps');
  return {
    signals,
    // The tools are sorted because a cycle is the same at any starting point.
    signature: { names: [agent, ...tools.toSorted()], text: '' },
    evidence: [first, ...others],
    narrative: narrativeOf(agent, tools, steps[0], loop, isAnswered),
  };
}

function evidenceOf(steps: readonly ToolExchange[], loop: Loop): EvidenceDraft[] {
  return steps.slice(0, MAX_EVIDENCE_CALLS).flatMap((step, index): EvidenceDraft[] => {
    if (step.callMessage === undefined) return [];
    const round = Math.floor(index / loop.period) + 1;
    const call: EvidenceDraft = {
      kind: 'tool_call',
      message: step.callMessage,
      title: `${step.toolName}, round ${round} of ${loop.rounds}`,
      summary: `${step.toolName}(${shorten(jsonText(step.call?.arguments), 300)})`,
      quote: undefined,
    };
    if (step.result === undefined || index >= loop.period) return [call];
    const result: EvidenceDraft = {
      kind: 'tool_result',
      message: step.result,
      title: `What ${step.toolName} answered each time`,
      summary: `The result was the same in all ${loop.rounds} rounds.`,
      quote: placedQuoteOf(step.result.content),
    };
    return [call, result];
  });
}

function narrativeOf(
  agent: string,
  tools: readonly string[],
  first: ToolExchange | undefined,
  loop: Loop,
  isAnswered: boolean,
): Narrative {
  const circle = tools.join(' and ');
  const example = loop.period === 1 ? ` with the arguments ${shorten(jsonText(first?.call?.arguments), 160)}` : '';
  return {
    title: `${agent} calls ${circle} ${loop.period === 1 ? 'with the same arguments' : 'in a circle'} again and again and gets the same results`,
    summary:
      `${circle} ${loop.period === 1 ? 'was called' : 'were called in turn'} ${loop.rounds} times in a row${example}, ` +
      `and the results did not change. ${isAnswered ? 'The agent answered only after that.' : 'The user got no answer.'}`,
    causeAssessment: 'The results did not change between the calls, and neither did the arguments.',
    remediationHint:
      `Refuse or answer from memory an identical call of ${circle} within a turn and say so in the result, let the ` +
      'result say what it means and what to do next, and limit the steps of a turn.',
  };
}
