import { z } from 'zod';
import { MAX_PROBLEMS, PROBLEM_CATEGORIES, REVIEW_VERDICTS } from '@clew/contracts';

/**
 * Schema of a reviewer's answer. The model is told the allowed words, but they are checked problem by problem, so that
 * one wrong word does not discard the review.
 */
export const ReviewAnswer = z.strictObject({
  account: z.string(),
  wanted: z.string(),
  problems: z
    .array(
      z.strictObject({
        messageIndex: z.int(),
        category: z.string().meta({ enum: Object.keys(PROBLEM_CATEGORIES) }),
        severity: z.string().meta({ enum: ['high', 'medium', 'low'] }),
        sentence: z.string(),
        kind: z.string(),
        title: z.string(),
        quotes: z.array(z.strictObject({ messageIndex: z.int(), quote: z.string() })).max(20),
      }),
    )
    .max(4 * MAX_PROBLEMS),
  decisiveMessage: z.int().nullable(),
  verdict: z.enum(REVIEW_VERDICTS),
  failureProbability: z.number(),
});
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

/** Schema of a sceptic's answer about problems, which it names by their numbers. */
export const ScepticAnswer = z.strictObject({
  problems: z
    .array(
      z.strictObject({
        problem: z.int(),
        against: z.string(),
        because: z.string(),
        holds: z.enum(['yes', 'no', 'unclear']),
      }),
    )
    .max(20),
});
export type ScepticAnswer = z.infer<typeof ScepticAnswer>;
