import { PROBLEM_CATEGORIES, REVIEW_RULE_ID, type ProblemCategory, type Severity } from '@clew/contracts';
import { DEFAULT_RULE_CONFIGURATION } from '@clew/rules';
import type { RuleDescription } from '../rules/index.ts';

/**
 * Severity that a project sees as the default of a category. A review gives each problem a severity of its own, so this
 * is the most that an unconfirmed one has; an override replaces what the reviewer says.
 */
const DEFAULT_SEVERITY: Severity = 'medium';

/** Rule whose Detections come from a model that reads the conversation; its signals are the categories of problems. */
export const CONVERSATION_REVIEW: RuleDescription = {
  ruleId: REVIEW_RULE_ID,
  ruleKey: 'conversation_review',
  name: 'Conversation review',
  description:
    'A model reads the conversation and reports problems with exact quotes; how many are read a day is a setting of the project.',
  categoryKey: 'review',
  keywordsMeaning: null,
  signals: Object.entries(PROBLEM_CATEGORIES).map(([name, description]) => ({
    ...{ name, description, defaultSeverity: DEFAULT_SEVERITY, weight: 1 },
  })),
  defaultConfiguration: { ...DEFAULT_RULE_CONFIGURATION, minSignalScore: 0, minDiagnosticConfidence: 0 },
};

/** Rules that find the same problem as a category, if they found something at the same step. */
export const RULES_OF_CATEGORY: Readonly<Record<ProblemCategory, readonly string[]>> = {
  wrong_argument: [
    'invalid_tool_arguments',
    'made_up_value',
    'undeclared_tool',
    'locking_change',
    'unconfirmed_change',
  ],
  misread_result: ['tool_result_contradicted'],
  policy_broken: ['unconfirmed_change', 'locking_change', 'expectation_broken'],
  request_missed: ['dropped_request'],
  ended_early: ['refusal', 'truncated_output', 'tool_error_unhandled'],
  claim_without_deed: ['unsupported_action_claim', 'tool_error_unhandled'],
  made_up_value: ['made_up_value', 'tool_result_contradicted'],
  injection_followed: ['prompt_injection'],
  loop_or_waste: ['tool_call_loop', 'repeated_question', 'step_budget_exhausted'],
  wrong_answer: ['tool_result_contradicted', 'malformed_output'],
  tool_failure_ignored: ['tool_error_unhandled', 'tool_call_loop', 'invalid_tool_arguments'],
  other: [],
};
