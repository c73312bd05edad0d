import { z } from 'zod';
import { EpochMs } from './primitives.ts';

/** Maximum position that is reported. */
export const MAX_WAITING_POSITION = 1_000;

/** Reason why a planned call of a model has not been made yet. */
export const Waiting = z
  .object({
    reason: z.enum(['places', 'provider', 'model', 'budget']).meta({
      description:
        '`places`: the project has its share of them, or others have their turns first; `provider`: it did not answer in time again and again, and is left alone for a while; `model`: it cannot be used now, or the goal is paused; `budget`: the day has none left',
    }),
    since: EpochMs,
    position: z
      .int()
      .min(1)
      .max(MAX_WAITING_POSITION)
      .optional()
      .meta({
        description: `Of what waits for places: 1 is next, ${MAX_WAITING_POSITION} is that or more. Projects have their turns one after the other`,
      }),
  })
  .meta({ id: 'Waiting' });
export type Waiting = z.infer<typeof Waiting>;
