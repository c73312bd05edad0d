import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { toolExchangesOf, type ToolExchange } from '../../conversation/tool-exchanges.ts';
import { agentOf, turnsOf, type Turn } from '../../conversation/turns.ts';
import { maskVariables, readablyMasked } from '../../fingerprint/mask-variables.ts';
import {
  DEFAULT_RULE_CONFIGURATION,
  type EvidenceDraft,
  type Narrative,
  type Occurrence,
  type RuleDefinition,
  type SignalHit,
} from '../../rule.ts';
import { compileKeywords } from '../../text/phrases.ts';
import { callsOfPlanted } from '../../links/planted-instructions.ts';
import { errorsRefusedAgain } from '../../links/refused-again.ts';
import { placedQuoteOf, shorten } from '../../text/quote.ts';
import { viewOf } from '../../view/conversation-view.ts';
import { handlingOf, turnOutcome, type Handling } from './handling.ts';
import { toolErrorOf, type ToolError } from '../../errors/tool-error.ts';

/**
 * Failure of a tool from which the agent neither recovered nor reported it.
 *
 * Cluster: the tool, the class of the error and its masked first line. One fix (to the tool, or to how the agent
 * handles this error) helps all conversations of such a cluster, whatever the agent said afterwards.
 */
export const toolErrorUnhandled: RuleDefinition = {
  ruleId: 'rule_JSRAY4S65Q20SE88112PQB1VGT',
  ruleKey: 'tool_error_unhandled',
  name: 'Tool error unhandled',
  description:
    'A tool call failed, and the agent neither retried with success, nor worked around it, nor told the user.',
  categoryKey: 'tool_use',
  keywordsMeaning: 'Further words that mark a tool result as an error',
  signals: [
    {
      name: 'success_claimed_after_error',
      description: 'The answer after the failed call says that the task is done, and nothing of the error',
      defaultSeverity: 'medium',
      weight: 0.9,
    },
    {
      name: 'error_not_mentioned',
      description: 'The answer after the failed call does not mention that anything failed',
      defaultSeverity: 'medium',
      weight: 0.6,
    },
    {
      name: 'no_answer_after_error',
      description: 'The turn ends with the failed call: the agent said and did nothing more',
      defaultSeverity: 'medium',
      weight: 0.65,
    },
    {
      name: 'ended_with_error',
      description:
        'The last call of the conversation failed, and nothing followed, or only words although the error says what to try',
      defaultSeverity: 'high',
      weight: 0.7,
    },
    {
      name: 'tool_failed_repeatedly',
      description: 'The same tool failed more than once in the same turn',
      defaultSeverity: 'low',
      weight: 0.2,
    },
  ],
  defaultConfiguration: DEFAULT_RULE_CONFIGURATION,
  detect(snapshot, configuration) {
    const errorOf = errorsBy(snapshot, configuration.keywords);
    const turns = turnsOf(snapshot);
    return turns.flatMap((turn, index) => occurrencesIn(snapshot, turn, index === turns.length - 1, errorOf));
  },
};

type ErrorOf = (result: ConversationMessage) => ToolError | undefined;

/** Recognizes errors with a project's own keywords; without any, other Rules have looked for them already. */
function errorsBy(snapshot: ConversationSnapshot, own: readonly string[]): ErrorOf {
  if (own.length === 0) return viewOf(snapshot).errorOf;
  const keywords = compileKeywords(own);
  return (result) => toolErrorOf(result, keywords);
}

interface FailedExchange {
  readonly exchange: ToolExchange;
  readonly result: ConversationMessage;
  readonly error: ToolError;
}

function occurrencesIn(
  snapshot: ConversationSnapshot,
  turn: Turn,
  isLastTurn: boolean,
  errorOf: ErrorOf,
): Occurrence[] {
  const exchanges = toolExchangesOf(turn.messages);
  const failures = exchanges.flatMap((exchange): FailedExchange[] => {
    const { result } = exchange;
    const error = result === undefined ? undefined : errorOf(result);
    return result === undefined || error === undefined ? [] : [{ exchange, result, error }];
  });
  if (failures.length === 0) return [];

  const failedResults = new Set(failures.map((failure) => failure.result));
  const positionOf = new Map(turn.messages.map((message, position) => [message, position]));
  const outcome = turnOutcome(turn, exchanges, positionOf, (result) => failedResults.has(result));
  const failureCounts = new Map<string, number>();
  for (const { exchange } of failures) {
    failureCounts.set(exchange.toolName, (failureCounts.get(exchange.toolName) ?? 0) + 1);
  }
  // The answer that is missing here may be in a part that was cut off.
  const mayGoOn = isLastTurn && (snapshot.truncated || snapshot.scope !== 'conversation');
  const refusedAgain = errorsRefusedAgain(snapshot);
  const unhandled = failures.flatMap((failure) => {
    // A call that is refused again and again, or that follows planted instructions, has a Finding of its own.
    if (refusedAgain.has(failure.error.text)) return [];
    const handling = handlingOf(outcome, failure.exchange, failure.error, positionOf.get(failure.result) ?? -1);
    const isOpen = (handling.kind === 'no_answer' || handling.kind === 'gave_up') && mayGoOn;
    if (handling.kind === 'handled' || isOpen || (handling.kind === 'gave_up' && !isLastTurn)) return [];
    return callsOfPlanted(snapshot).has(failure.result) ? [] : [{ failure, handling }];
  });
  // The last failure of a tool is the one that was left; the earlier ones of the turn led to it.
  const left = new Map(unhandled.map((one) => [one.failure.exchange.toolName, one] as const));
  return [...left.values()].map(({ failure, handling }) =>
    toOccurrence(
      snapshot,
      failure,
      handling,
      failureCounts.get(failure.exchange.toolName) ?? 1,
      isLastTurn && exchanges.at(-1) === failure.exchange,
    ),
  );
}

type Mishandling = Exclude<Handling, { kind: 'handled' }>;

const SIGNAL_OF: Readonly<Record<Mishandling['kind'], string>> = {
  success_claimed: 'success_claimed_after_error',
  not_mentioned: 'error_not_mentioned',
  no_answer: 'no_answer_after_error',
  gave_up: 'ended_with_error',
};

function toOccurrence(
  snapshot: ConversationSnapshot,
  failure: FailedExchange,
  handling: Mishandling,
  failureCount: number,
  isLast: boolean,
): Occurrence {
  const { exchange, result, error } = failure;
  const signals: SignalHit[] = [{ name: SIGNAL_OF[handling.kind], strength: error.strength }];
  const { callMessage } = exchange;
  const agent = callMessage === undefined ? (snapshot.agents[0] ?? 'the agent') : agentOf(snapshot, callMessage);
  if (handling.kind === 'no_answer' && isLast) signals.push({ name: 'ended_with_error', strength: 1 });
  if (failureCount > 1) signals.push({ name: 'tool_failed_repeatedly', strength: 1 });
  return {
    signals,
    signature: { names: [exchange.toolName, error.errorClass], text: maskVariables(error.text) },
    evidence: [
      {
        kind: 'tool_result',
        message: result,
        title: `${exchange.toolName} failed`,
        summary: `The tool answered with an error: ${shorten(error.text, 200)}`,
        quote: error.quote,
      },
      ...callEvidence(exchange),
      ...answerEvidence(snapshot, handling),
    ],
    narrative: narrativeOf(agent, exchange.toolName, error, handling),
  };
}

function callEvidence(exchange: ToolExchange): EvidenceDraft[] {
  if (exchange.callMessage === undefined) return [];
  return [
    {
      kind: 'tool_call',
      message: exchange.callMessage,
      title: `Call of ${exchange.toolName}`,
      summary: `The agent called ${exchange.toolName}; this call failed.`,
      quote: undefined,
    },
  ];
}

function answerEvidence(snapshot: ConversationSnapshot, handling: Mishandling): EvidenceDraft[] {
  if (handling.kind === 'no_answer') return [];
  const { answer, quote } = handling;
  return [
    {
      kind: 'message',
      message: answer,
      title: ANSWER_TITLES[handling.kind].title,
      summary: `${agentOf(snapshot, answer)} ${ANSWER_TITLES[handling.kind].summary}`,
      quote: placedQuoteOf(answer.content, quote.start, quote.end),
    },
  ];
}

const ANSWER_TITLES = {
  success_claimed: { title: 'Success claimed all the same', summary: 'said that it was done.' },
  not_mentioned: {
    title: 'Answer without the failure',
    summary: 'answered without mentioning that a tool had failed.',
  },
  gave_up: { title: 'The answer that ends the work', summary: 'called nothing more.' },
};

const OUTCOME_TEXT: Readonly<Record<Mishandling['kind'], { title: string; summary: string; cause: string }>> = {
  success_claimed: {
    title: 'reports success after an error of',
    summary: 'The agent then told the user that the task was done.',
    cause: 'The answer reports a result that the call did not have.',
  },
  not_mentioned: {
    title: 'answers without mentioning an error of',
    summary: 'The answer says nothing of it.',
    cause: 'Nothing after the failed call uses or reports its result.',
  },
  no_answer: {
    title: 'stops after an error of',
    summary: 'Nothing followed: no other call and no answer.',
    cause: 'The run ended with the failed call.',
  },
  gave_up: {
    title: 'gives up after an error that says what to try, of',
    summary: 'The error says what would work; the agent did not try it and ended its work.',
    cause: 'After the error the agent made no other call.',
  },
};

function narrativeOf(agent: string, toolName: string, error: ToolError, handling: Mishandling): Narrative {
  const outcome = OUTCOME_TEXT[handling.kind];
  return {
    title: `${agent} ${outcome.title} ${toolName}: ${shorten(readablyMasked(error.text), 120)}`,
    summary: `${toolName} answered with an error (${shorten(error.text, 160)}). ${outcome.summary}`,
    causeAssessment: outcome.cause,
    remediationHint: `${fixOf(error.errorClass, toolName)} Tell the agent to read each result of ${toolName}, and on an error to retry, to take another way, or to say plainly what could not be done.`,
  };
}

function fixOf(errorClass: string, toolName: string): string {
  switch (errorClass) {
    case 'timeout':
    case 'unavailable':
    case 'rate_limited':
    case 'server_error':
      return `Retry ${toolName} with a growing delay before the error reaches the agent, and look at why it is failing.`;
    case 'not_found':
      return `Look whether what ${toolName} did not find is missing, or was named wrongly by the call, and let its error say what there is.`;
    case 'invalid_input':
      return `Make the parameters of ${toolName} and their formats plain in its description, and let its error name the wrong one.`;
    case 'unauthorized':
    case 'forbidden':
      return `Check the credentials and permissions that ${toolName} runs with.`;
    default:
      return `Look at why ${toolName} fails, and let its error say what the agent can do about it.`;
  }
}
