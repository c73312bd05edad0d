import { z } from 'zod';

export const ErrorBodySchema = z
  .object({
    error: z.string().meta({ description: 'The reason phrase of the status' }),
    message: z.string(),
    code: z.string().optional(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    requestId: z.string(),
  })
  .meta({ id: 'Error', description: 'The error body of all routes but those of inference' });

export const OpenAiErrorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({
    id: 'OpenAiError',
    description: 'The error body of the inference routes, as clients of the OpenAI API read it',
  });
