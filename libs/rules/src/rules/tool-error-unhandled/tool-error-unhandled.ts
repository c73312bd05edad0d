import type { ConversationMessage, ConversationSnapshot } from '@clew/contracts';
import { toolExchangesOf, type ToolExchange } from '../../conversation/tool-exchanges.ts';
import { agentOf, turnsOf, type Turn } from '../../conversation/turns.ts';
import { maskVariables } from '../../fingerprint/mask-variables.ts';
import {
  DEFAULT_RULE_CONFIGURATION,
  type EvidenceDraft,
  type Narrative,
  type Occurrence,
  type RuleDefinition,
  type SignalHit,
} from '../../rule.ts';
import { compileKeywords, type PhraseSet } from '../../text/phrases.ts';
import { quoteOf, shorten } from '../../text/quote.ts';
import { handlingOf, turnOutcome, type Handling } from './handling.ts';
import { toolErrorOf, type ToolError } from './tool-error.ts';

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
      description: 'The answer after the failed call says that the task is done',
      defaultSeverity: 'high',
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
      description: 'The agent said nothing more after the failed call',
      defaultSeverity: 'medium',
      weight: 0.65,
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
    const keywords = compileKeywords(configuration.keywords);
    const turns = turnsOf(snapshot);
    return turns.flatMap((turn, index) => occurrencesIn(snapshot, turn, index === turns.length - 1, keywords));
  },
};

interface FailedExchange {
  readonly exchange: ToolExchange;
  readonly result: ConversationMessage;
  readonly error: ToolError;
}

function occurrencesIn(
  snapshot: ConversationSnapshot,
  turn: Turn,
  isLastTurn: boolean,
  keywords: PhraseSet,
): Occurrence[] {
  const exchanges = toolExchangesOf(turn.messages);
  const failures = exchanges.flatMap((exchange): FailedExchange[] => {
    const { result } = exchange;
    const error = result === undefined ? undefined : toolErrorOf(result, keywords);
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
  return failures.flatMap((failure): Occurrence[] => {
    const handling = handlingOf(
      outcome,
      failure.exchange.toolName,
      failure.error,
      positionOf.get(failure.result) ?? -1,
    );
    if (handling.kind === 'handled' || (handling.kind === 'no_answer' && mayGoOn)) return [];
    return [toOccurrence(snapshot, failure, handling, failureCounts.get(failure.exchange.toolName) ?? 1)];
  });
}

type Mishandling = Exclude<Handling, { kind: 'handled' }>;

const SIGNAL_OF: Readonly<Record<Mishandling['kind'], string>> = {
  success_claimed: 'success_claimed_after_error',
  not_mentioned: 'error_not_mentioned',
  no_answer: 'no_answer_after_error',
};

function toOccurrence(
  snapshot: ConversationSnapshot,
  failure: FailedExchange,
  handling: Mishandling,
  failureCount: number,
): Occurrence {
  const { exchange, result, error } = failure;
  const signals: SignalHit[] = [{ name: SIGNAL_OF[handling.kind], strength: error.strength }];
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
    narrative: narrativeOf(exchange.toolName, error, handling),
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
  const claimed = handling.kind === 'success_claimed';
  return [
    {
      kind: 'message',
      message: answer,
      title: claimed ? 'Success claimed all the same' : 'Answer without the failure',
      summary: `${agentOf(snapshot, answer)} ${claimed ? 'said that it was done.' : 'answered without mentioning that a tool had failed.'}`,
      quote: quoteOf(answer.content, quote.start, quote.end),
    },
  ];
}

const OUTCOME_TEXT: Readonly<Record<Mishandling['kind'], { summary: string; cause: string }>> = {
  success_claimed: {
    summary: 'The agent then told the user that the task was done.',
    cause: 'The agent does not check the result of the call before it reports on it.',
  },
  not_mentioned: {
    summary: 'The agent answered as if nothing had happened.',
    cause: 'The agent goes on without using or reporting the result of the failed call.',
  },
  no_answer: {
    summary: 'The user got no answer after that.',
    cause: 'The agent stops, or its loop ends, when this tool fails.',
  },
};

function narrativeOf(toolName: string, error: ToolError, handling: Mishandling): Narrative {
  const outcome = OUTCOME_TEXT[handling.kind];
  return {
    title: `Errors of ${toolName} go unhandled: ${shorten(maskVariables(error.text), 120)}`,
    summary: `${toolName} answered with an error (${shorten(error.text, 160)}). ${outcome.summary}`,
    causeAssessment: `${outcome.cause} The error itself is of the kind "${error.errorClass.replaceAll('_', ' ')}".`,
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
    case 'invalid_input':
    case 'not_found':
      return `Make the parameters of ${toolName} and their formats plain in its description, and let its error name the wrong one.`;
    case 'unauthorized':
    case 'forbidden':
      return `Check the credentials and permissions that ${toolName} runs with.`;
    default:
      return `Look at why ${toolName} fails, and let its error say what the agent can do about it.`;
  }
}
