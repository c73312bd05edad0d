import type { ConversationSnapshot, ExpectationCheck } from '@clew/contracts';
import { answerMatches, answerNeverMatches, endsWith } from './forms/answers.ts';
import { maxCalls, neverCall, noWordsWithCalls, oneCallAtATime, requiresFirst } from './forms/calls.ts';
import { confirmBefore } from './forms/confirm-before.ts';
import { groundedArguments } from './forms/grounded-arguments.ts';
import { readConversation, type ConversationReading } from './reading.ts';
import type { EvaluatedExpectation, ExpectationViolation } from './violation.ts';

/**
 * Returns the steps of a conversation that break an Expectation, in order. To evaluate several Expectations, pass the
 * same reading to each. A pattern that cannot be compiled throws a `RangeError`: call `patternProblem` before storing
 * one.
 */
export function evaluateExpectation(
  expectation: Pick<EvaluatedExpectation, 'check'>,
  snapshot: ConversationSnapshot,
  reading: ConversationReading = readConversation(snapshot),
): ExpectationViolation[] {
  return violationsOf(expectation.check, reading);
}

function violationsOf(check: ExpectationCheck, reading: ConversationReading): ExpectationViolation[] {
  switch (check.form) {
    case 'confirm_before':
      return confirmBefore(check, reading);
    case 'requires_first':
      return requiresFirst(check, reading);
    case 'never_call':
      return neverCall(check, reading);
    case 'max_calls':
      return maxCalls(check, reading);
    case 'one_call_at_a_time':
      return oneCallAtATime(check, reading);
    case 'no_words_with_calls':
      return noWordsWithCalls(check, reading);
    case 'grounded_arguments':
      return groundedArguments(check, reading);
    case 'answer_matches':
      return answerMatches(check, reading);
    case 'answer_never_matches':
      return answerNeverMatches(check, reading);
    case 'ends_with':
      return endsWith(check, reading);
  }
}
