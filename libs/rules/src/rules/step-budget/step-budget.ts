import type { ConversationMessage } from '@clew/contracts';
import { hasText, type Turn } from '../../conversation/turns.ts';
import { refusedAgainOf } from '../../links/refused-again.ts';
import { DEFAULT_RULE_CONFIGURATION, type Occurrence, type RuleDefinition, type SignalHit } from '../../rule.ts';
import { endQuoteOf } from '../../text/quote.ts';
import { viewOf, type ConversationView } from '../../view/conversation-view.ts';

/**
 * Exhausted step limit: the agent ran out of steps before it was done.
 *
 * Cluster: the agent and the symptom.
 */
export const stepBudgetExhausted: RuleDefinition = {
  ruleId: 'rule_1ZVF2QM6EF4FMEA3AFRMGXAQCH',
  ruleKey: 'step_budget_exhausted',
  name: 'Step budget exhausted',
  description: 'The agent hit its limit of steps, or was stopped in the middle of its work.',
  categoryKey: 'task_completion',
  keywordsMeaning: 'Further finish reasons and messages that mean that a limit of steps was hit',
  signals: [
    {
      name: 'limit_reported',
      description: 'A finish reason, an error or a message says that a limit of steps, turns or time was reached',
      defaultSeverity: 'high',
      weight: 0.8,
    },
    {
      name: 'stopped_while_working',
      description: 'The conversation ends with a call or a result after ten calls or more, without an answer',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'many_steps',
      description: 'A turn took thirty calls or more',
      defaultSeverity: 'low',
      weight: 0.3,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot, configuration) {
    const view = viewOf(snapshot);
    const keywords = configuration.keywords.map(plain).filter((keyword) => keyword !== '');
    const limit = endedByLimit(view);
    const ended = limit === undefined ? [] : [{ message: limit, signals: [LIMIT_HIT], calls: view.calls.length }];
    const inTurns = view.turns.flatMap((turn, index) => {
      const found = signalsOf(view, turn, index === view.turns.length - 1, keywords);
      return found === undefined ? [] : [found];
    });
    return [...inTurns, ...ended]
      .filter(({ message }) => !endsRefused(view, message))
      .map((found) => toOccurrence(view, found));
  },
};

const LIMIT_HIT: SignalHit = { name: 'limit_reported', strength: 1 };
const LIMIT_FINISH =
  /^(?:max|maximum)(?:steps?|turns?|iterations?|toolcalls?|rounds?)(?:exceeded|reached)?$|^(?:step|turn|iteration|recursion|round)limit(?:exceeded|reached)?$|^timelimit$|^budgetexceeded$/;
const LIMIT_TEXT =
  /\b(?:agent stopped|stopped|terminated|aborted|ended)\s(?:due to|because of|after)\s(?:\w{1,12}\s){0,3}(?:iteration|step|turn|time|round|recursion|budget)s?\b|\b(?:max(?:imum)?|recursion|iteration|step|turn|round)(?:\snumber of|\s|_)?(?:iterations?|steps?|turns?|rounds?|limit|depth|tool calls?)(?:\s(?:limit|count|of\s\d{1,4}))?\s(?:was\s|has been\s|is\s|have been\s)?(?:reached|exceeded|exhausted|hit)\b|\b(?:reached|exceeded|hit|ran out of|exhausted)\s(?:the\s|its\s|my\s|our\s)?(?:max(?:imum)?\s)?(?:number of\s|allowed\s)?(?:iterations?|steps?|turns?|step budget|step limit|turn limit|iteration limit|recursion limit|time limit)\b|\bonly\s\d{1,4}\s\w{1,20}\s(?:are\s|were\s)?(?:allowed|permitted)\b|\bGraphRecursionError\b|\bMaxTurnsExceeded\b|\bmax rounds? reached\b/i;
const HEAD_LENGTH = 1500;
const CLOSING_LENGTH = 200;
const MANY_CALLS = 30;
const WORKING_CALLS = 10;

interface Found {
  readonly message: ConversationMessage;
  readonly signals: readonly SignalHit[];
  readonly calls: number;
}

function signalsOf(
  view: ConversationView,
  turn: Turn,
  isLast: boolean,
  keywords: readonly string[],
): Found | undefined {
  const calls = turn.messages.reduce((count, message) => count + (message.toolCalls?.length ?? 0), 0);
  const reported = turn.messages.find((message) => reportsLimit(message, keywords));
  const last = turn.messages.at(-1);
  const { scope, truncated } = view.snapshot;
  const mayGoOn = !isLast || scope !== 'conversation' || truncated;
  const isWorking =
    last !== undefined && (last.role === 'tool' || (last.toolCalls?.length ?? 0) > 0) && !endsWithHandover(view, last);
  const signals: SignalHit[] = [
    ...(reported === undefined ? [] : [LIMIT_HIT]),
    ...(isWorking && !mayGoOn && calls >= WORKING_CALLS ? [{ name: 'stopped_while_working', strength: 1 }] : []),
    ...(calls >= MANY_CALLS ? [{ name: 'many_steps', strength: 1 }] : []),
  ];
  const message = reported ?? last;
  return message === undefined || signals.length === 0 ? undefined : { message, signals, calls };
}

/**
 * Tells whether the work before a message ended with a refused call that was made again: that is why the steps ran out,
 * and it has a Finding of its own. The message that reports a limit may hold a last call of the framework.
 */
function endsRefused(view: ConversationView, message: ConversationMessage): boolean {
  const again = refusedAgainOf(view.snapshot);
  if (again.size === 0) return false;
  const end = view.positionOf(message);
  const last = view.calls.findLast(({ position, result }) => position < end || result === message);
  return last !== undefined && again.has(last);
}

/** Tells whether the last call hands the case over, or itself answers the user, and so is a proper end. */
function endsWithHandover(view: ConversationView, last: ConversationMessage): boolean {
  const call = view.calls.findLast(({ callMessage, result }) => callMessage === last || result === last);
  return call !== undefined && (call.character.handsOver || call.character.answers);
}

function reportsLimit(message: ConversationMessage, keywords: readonly string[]): boolean {
  const { role, finishReason, error, content } = message;
  const reason = plain(finishReason ?? '');
  if (LIMIT_FINISH.test(reason) || (reason !== '' && keywords.includes(reason))) return true;
  const failure = error === undefined ? '' : `${error.type} ${error.message}`.slice(0, HEAD_LENGTH);
  if (LIMIT_TEXT.test(failure) || keywords.some((keyword) => plain(failure).includes(keyword))) return true;
  // A short message of an agent or a framework; in a long one such words concern something else.
  return role === 'assistant' && content.length <= HEAD_LENGTH && hasText(message) && saysLimit(content);
}

/** Tells whether a text says that a limit was hit. */
export function saysLimit(text: string): boolean {
  return LIMIT_TEXT.test(text);
}

/**
 * Finds the message of a framework in the user's role that ends the conversation with a limit, such as `Only 3 attempts
 * allowed, stopping`, after its last report. The words of a person at the end are a request, not a limit.
 */
export function endedByLimit(view: ConversationView): ConversationMessage | undefined {
  const { messages, snapshot } = view;
  const last = messages.at(-1);
  if (last === undefined || !view.isFromUser(last) || snapshot.scope !== 'conversation' || snapshot.truncated)
    return undefined;
  const closing = last.content.slice(-CLOSING_LENGTH);
  return saysLimit(closing.slice(closing.lastIndexOf('\n', closing.length - 2) + 1)) ? last : undefined;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function toOccurrence(view: ConversationView, { message, signals, calls }: Found): Occurrence {
  const agent = message.role === 'assistant' ? view.agentOf(message) : (view.snapshot.agents[0] ?? 'the agent');
  return {
    signals,
    signature: { names: [agent, signals[0]?.name ?? ''], text: '' },
    evidence: [
      {
        kind: message.role === 'tool' ? 'tool_result' : 'message',
        message,
        title: 'Where it stopped',
        summary: `${calls} calls in this turn.`,
        quote: endQuoteOf(message.content),
      },
    ],
    narrative: {
      title: `${agent} is stopped in the middle of its work, without an answer`,
      summary:
        calls === 0 ? 'The work was stopped at a limit.' : `The work ended after ${calls} calls, without an answer.`,
      causeAssessment: 'The last message is not an answer: it is a call, its result, or the report of a limit.',
      remediationHint: `Look at the steps for what is repeated, give ${agent} a tool that does several of them at once, and let it tell what it has before its limit.`,
    },
  };
}
