import { z } from 'zod';

export const ErrorBodySchema = z
  .object({
    error: z.string().meta({ description: 'The reason phrase of the status' }),
    message: z.string(),
    code: z.string().optional(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Error', description: 'The one error body of the API' });
