import { z } from 'zod';

const QuotaRefusal = z
  .object({
    quota: z.string().meta({ description: 'Name of the quota' }),
    limit: z.int().min(0),
    used: z.int().min(0),
    opensAtMs: z.int().nullable().meta({ description: 'When it opens; null if data has to be removed first' }),
  })
  .meta({ id: 'QuotaRefusal', description: 'The quota of a project that refused a request' });

export const ErrorBodySchema = z
  .object({
    error: z.string().meta({ description: 'The reason phrase of the status' }),
    message: z.string(),
    code: z.string().optional(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    quota: QuotaRefusal.optional().meta({ description: 'With QUOTA_EXCEEDED' }),
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
      quota: QuotaRefusal.optional().meta({ description: 'With quota_exceeded' }),
    }),
  })
  .meta({
    id: 'OpenAiError',
    description: 'The error body of the inference routes, as clients of the OpenAI API read it',
  });
