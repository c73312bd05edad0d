import type { ConversationMessage, Expectation, ExpectationCheck, ExpectationForm } from '@clew/contracts';
import type { EvidenceDraft } from '../rule.ts';
import type { ConversationReading } from './reading.ts';

/** Fields of an Expectation that evaluation reads. */
export type EvaluatedExpectation = Pick<Expectation, 'id' | 'statement' | 'severity' | 'check'> &
  Partial<Pick<Expectation, 'quote'>>;

/** Step that violates an Expectation. */
export interface ExpectationViolation {
  /** Violating step. */
  readonly message: ConversationMessage;
  /** Description of the violation, for this step. */
  readonly reason: string;
  /** Clarity of the case, 0 to 1. */
  readonly strength: number;
  /** Evidence; the first entry is the step itself. */
  readonly evidence: readonly [EvidenceDraft, ...EvidenceDraft[]];
}

/**
 * Evaluator of one form: returns the steps of a conversation that break a check. Pure, total, and about linear in the
 * conversation.
 */
export type FormEvaluator<Form extends ExpectationForm> = (
  check: Extract<ExpectationCheck, { form: Form }>,
  reading: ConversationReading,
) => ExpectationViolation[];

/** Maximum number of violations; more add nothing new about a conversation. */
export const MAX_VIOLATIONS = 50;
