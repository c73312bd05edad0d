import type { ConversationMessage, Expectation, ExpectationCheck, ExpectationForm } from '@clew/contracts';
import type { EvidenceDraft } from '../rule.ts';
import type { ConversationReading } from './reading.ts';

/** What evaluation reads of an Expectation. */
export type EvaluatedExpectation = Pick<Expectation, 'id' | 'statement' | 'severity' | 'check'> &
  Partial<Pick<Expectation, 'quote'>>;

/** One step that does not do what the agent was told. */
export interface ExpectationViolation {
  /** The step that broke it. */
  readonly message: ConversationMessage;
  /** What is wrong, in words, for this step. */
  readonly reason: string;
  /** How clear it is, 0 to 1. */
  readonly strength: number;
  /** The first entry is the step itself. */
  readonly evidence: readonly [EvidenceDraft, ...EvidenceDraft[]];
}

/** A form: which steps of a conversation break a check. Pure, total, and about linear in the conversation. */
export type FormEvaluator<Form extends ExpectationForm> = (
  check: Extract<ExpectationCheck, { form: Form }>,
  reading: ConversationReading,
) => ExpectationViolation[];

/** More than these say nothing new about a conversation. */
export const MAX_VIOLATIONS = 50;
