import type { ConversationMessage } from '@clew/contracts';
import { compilePattern } from '@clew/privacy';
import { endQuoteOf, placedQuoteOf, type PlacedQuote } from '../../text/quote.ts';
import type { ConversationReading } from '../reading.ts';
import { toolMatcher } from '../tool-patterns.ts';
import { MAX_VIOLATIONS, type ExpectationViolation, type FormEvaluator } from '../violation.ts';
import { callEvidence } from './call-evidence.ts';

/**
 * Maximum length of the first and of the last part that are read of a longer message: requirements on answers concern
 * them.
 */
const PART_LENGTH = 10_000;

/** Reports each answer that does not match. A message that goes on to call tools is not an answer yet. */
export const answerMatches: FormEvaluator<'answer_matches'> = (check, reading) => {
  const pattern = compilePattern(check.pattern);
  return messagesOf(reading, check.agent)
    .filter((message) => (message.toolCalls ?? []).length === 0 && !pattern.test(joinedParts(message.content)))
    .slice(0, MAX_VIOLATIONS)
    .map((message) =>
      answerViolation(message, 'The answer is not as it was asked for.', placedQuoteOf(message.content)),
    );
};

/** Reports each message of an agent that contains the pattern. */
export const answerNeverMatches: FormEvaluator<'answer_never_matches'> = (check, reading) => {
  const pattern = compilePattern(check.pattern);
  const violations: ExpectationViolation[] = [];
  for (const message of messagesOf(reading, check.agent)) {
    if (violations.length === MAX_VIOLATIONS) break;
    for (const { text, offset } of partsOf(message.content)) {
      const found = pattern.test(text) ? pattern.find(text) : undefined;
      if (found === undefined) continue;
      const quote = placedQuoteOf(
        message.content,
        offset + found.start,
        Math.max(offset + found.end, offset + found.start),
      );
      violations.push(answerViolation(message, 'The message says what it is never to say.', quote));
      break;
    }
  }
  return violations;
};

/**
 * Checks the end of a finished conversation: the last text matches, the last call is one of the tools. An excerpt does
 * not show whether the conversation is finished, nor does one in which an agent waits for an answer.
 */
export const endsWith: FormEvaluator<'ends_with'> = (check, reading) => {
  if (reading.endIsMissing) return [];
  const last = messagesOf(reading, check.agent).at(-1);
  if (check.pattern !== undefined && last !== undefined) {
    const pattern = compilePattern(check.pattern);
    if (!pattern.test(joinedParts(last.content))) {
      return [answerViolation(last, 'The last answer does not end as it should.', endQuoteOf(last.content))];
    }
  }
  return check.tools === undefined ? [] : lastCallViolations(check.tools, check.agent, reading);
};

function lastCallViolations(
  tools: readonly string[],
  agent: string | undefined,
  reading: ConversationReading,
): ExpectationViolation[] {
  const isEnd = toolMatcher(tools);
  const lastCall = reading.calls.findLast((call) => reading.isOfAgent(call.callMessage, agent));
  if (lastCall !== undefined && isEnd(lastCall.toolName)) return [];
  const final = reading.snapshot.messages.at(-1);
  if (final?.role !== 'assistant' || !reading.isOfAgent(final, agent) || isOpen(final)) return [];
  const reason = `The conversation ends without a call of ${tools.join(' or ')}.`;
  const violation = answerViolation(final, reason, endQuoteOf(final.content));
  if (lastCall === undefined) return [violation];
  return [{ ...violation, evidence: [violation.evidence[0], callEvidence(lastCall, 'The last call')] }];
}

/** Tells whether a message leaves something open: a question waits for an answer, a call for its result. */
function isOpen(message: ConversationMessage): boolean {
  return /[?？]/.test(message.content.slice(-400)) || (message.toolCalls ?? []).length > 0;
}

function messagesOf(reading: ConversationReading, agent: string | undefined): ConversationMessage[] {
  return reading.snapshot.messages.filter(
    (message) =>
      message.role === 'assistant' &&
      message.error === undefined &&
      message.textExpired !== true &&
      message.content.trim() !== '' &&
      reading.isOfAgent(message, agent),
  );
}

function partsOf(content: string): { text: string; offset: number }[] {
  if (content.length <= 2 * PART_LENGTH) return [{ text: content, offset: 0 }];
  const offset = content.length - PART_LENGTH;
  return [
    { text: content.slice(0, PART_LENGTH), offset: 0 },
    { text: content.slice(offset), offset },
  ];
}

/** Joins the parts into one text, so that a pattern for the beginning and the end of an answer fits a long one too. */
function joinedParts(content: string): string {
  const [first, second] = partsOf(content);
  return second === undefined ? (first?.text ?? '') : `${first?.text ?? ''}\n${second.text}`;
}

function answerViolation(
  message: ConversationMessage,
  reason: string,
  quote: PlacedQuote | undefined,
): ExpectationViolation {
  return {
    message,
    reason,
    strength: 1,
    evidence: [{ kind: 'message', message, title: 'What the agent said', summary: reason, quote }],
  };
}
