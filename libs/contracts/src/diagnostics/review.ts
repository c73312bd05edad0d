import { z } from 'zod';

/** Id of the Rule whose Detections come from a model that reads the conversation. */
export const REVIEW_RULE_ID = 'rule_V5M3C9N7RQ2EJX0T8WZKHB41GY';

/**
 * Kinds of problems that a reviewer reports, a closed list. Their names are the signals of the Rule
 * `conversation_review`, so that a project can switch one off or change its severity.
 */
export const PROBLEM_CATEGORIES = {
  wrong_argument: 'A tool was called with a wrong value, or for the wrong record',
  misread_result: 'A result says something else than the assistant took from it',
  policy_broken: 'A rule of the system prompt or of the policy was broken',
  request_missed: 'A part of what the user asked for was not done',
  ended_early: 'The assistant stopped or handed over although it could have gone on',
  claim_without_deed: 'The assistant says that something was done, and it was not',
  made_up_value: 'A value that nobody gave and no result holds',
  injection_followed: 'The assistant did what a text inside of a result or document asked for',
  loop_or_waste: 'The same steps again and again, or much work for nothing',
  wrong_answer: 'The answer is wrong',
  tool_failure_ignored: 'A tool failed, and the assistant went on as if it had not',
  other: 'Another problem that a person would want to know of',
} as const satisfies Readonly<Record<string, string>>;

export type ProblemCategory = keyof typeof PROBLEM_CATEGORIES;
export const ProblemCategory = z.enum(Object.keys(PROBLEM_CATEGORIES) as [ProblemCategory, ...ProblemCategory[]]);

/** Severities that a reviewer may give. */
export const ProblemSeverity = z.enum(['high', 'medium', 'low']);
export type ProblemSeverity = z.infer<typeof ProblemSeverity>;

export const REVIEW_VERDICTS = ['achieved', 'partly', 'failed', 'unclear'] as const;
/** Whether the user got what they wanted. */
export const ReviewVerdict = z.enum(REVIEW_VERDICTS);
export type ReviewVerdict = z.infer<typeof ReviewVerdict>;

export const REVIEW_MODES = ['off', 'sampled', 'all'] as const;
export const ReviewMode = z.enum(REVIEW_MODES);
export type ReviewMode = z.infer<typeof ReviewMode>;

/** Default limit of reviews per project and day. */
export const DEFAULT_DAILY_REVIEWS = 200;
/** Maximum number of problems in one review. */
export const MAX_PROBLEMS = 5;
