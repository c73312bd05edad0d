import { z } from 'zod';
import { Name } from '../common/primitives.ts';

/** Maximum number of scores that a project names. */
export const MAX_SUCCESS_SCORES = 50;

const fields = {
  name: Name.meta({ description: 'The name of the score, as it is sent' }),
  atLeast: z
    .number()
    .optional()
    .meta({
      description:
        'A number counts as success from here on, and as failure below. Without it a number has its usual meaning: ' +
        'success from 0.5 to 1, failure from 0 up to there. true, false and words always have theirs',
    }),
};

export const SuccessScore = z
  .object(fields)
  .meta({ id: 'SuccessScore', description: 'Score that counts as success or failure in a project' });
export type SuccessScore = z.infer<typeof SuccessScore>;

/** Scores that count in a project, as it sets them. */
export const SuccessScores = z
  .array(z.strictObject(fields))
  .max(MAX_SUCCESS_SCORES)
  .refine((scores) => new Set(scores.map(({ name }) => name)).size === scores.length, 'must not name a score twice');
