import { z } from 'zod';
import { Quote } from './detection.ts';

export const MAX_SUSPECTS = 3;

/** Step that may have caused the failure of a conversation. */
export const Suspect = z
  .object({
    stepIndex: z.int().min(0).meta({ description: 'The index of the message in the canonical conversation' }),
    agent: z.string(),
    score: z.number().min(0).max(1).meta({ description: 'How likely it is the cause, against the other steps' }),
    because: z.string().meta({ description: 'Why, in words' }),
    quotes: z.array(Quote).meta({ description: 'Exact substrings of that message' }),
  })
  .meta({ id: 'Suspect' });
export type Suspect = z.infer<typeof Suspect>;
