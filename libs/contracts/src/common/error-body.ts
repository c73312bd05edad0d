import { z } from 'zod';

const QuotaRefusal = z
  .object({
    quota: z.string().meta({ description: 'Name of the quota' }),
    limit: z.int().min(0),
    used: z.int().min(0),
    opensAtMs: z.int().nullable().meta({ description: 'When it opens; null if data has to be removed first' }),
  })
  .meta({ id: 'QuotaRefusal', description: 'The quota of a project that refused a request' });

const Details = z.array(z.object({ path: z.string(), message: z.string() }));
const WITH_FORBIDDEN =
  'With FORBIDDEN, one entry for each right that would do: its kind (`scope` or `permission`) in `path`, its name in `message`.';

export const ErrorBodySchema = z
  .object({
    error: z.string().meta({ description: 'The reason phrase of the status' }),
    message: z.string(),
    code: z.string().optional(),
    details: Details.optional().meta({ description: `What is wrong with which field. ${WITH_FORBIDDEN}` }),
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
      details: Details.optional().meta({ description: WITH_FORBIDDEN }),
      quota: QuotaRefusal.optional().meta({ description: 'With quota_exceeded' }),
    }),
  })
  .meta({
    id: 'OpenAiError',
    description: 'The error body of the inference routes, as clients of the OpenAI API read it',
  });
