import { z } from 'zod';

/** Reports that a worker could not call a model now: the owner of the work decides when it is asked again. */
export const AskLater = z.object({
  status: z.literal('later'),
  reason: z.string(),
  retryAfterMs: z.int().min(0).nullable(),
  isBudget: z.boolean().meta({ description: 'The project allows the system no more tokens today' }),
  isTimeout: z.boolean().optional().meta({ description: 'The provider did not answer in time' }),
  isUntried: z.boolean().optional().meta({ description: 'No call was made, for want of a place: it is no failure' }),
});
