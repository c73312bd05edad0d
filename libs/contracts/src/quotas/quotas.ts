import { z } from 'zod';
import { EpochMs, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const limit = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable();

const quotas = {
  ingestedBytesPerDay: limit.meta({
    description: 'Bytes a day (UTC) of the records that OTLP and conversation imports bring, as they are queued',
  }),
  ingestedRecordsPerDay: limit.meta({ description: 'Spans, log records and imported conversations a day (UTC)' }),
  inferenceTokensPerDay: limit.meta({ description: 'Tokens of all model calls of the project a day (UTC)' }),
  inferenceTokensPerMonth: limit.meta({ description: 'Tokens of all model calls of the project a month (UTC)' }),
  storedBytes: limit.meta({ description: 'Bytes of telemetry and Datasets, as measured from time to time' }),
};

export const QUOTA_NAMES = Object.keys(quotas) as (keyof typeof quotas)[];
export type QuotaName = (typeof QUOTA_NAMES)[number];

export const Quotas = z.object(quotas).meta({ id: 'Quotas', description: 'Limits of a project; null: no limit' });
export type Quotas = z.infer<typeof Quotas>;

/** Quotas of a project that has none. */
export const NO_QUOTAS = Object.fromEntries(QUOTA_NAMES.map((name) => [name, null])) as Quotas;

const QuotasReplacement = z.strictObject(
  Object.fromEntries(QUOTA_NAMES.map((name) => [name, limit.default(null)])) as Record<
    QuotaName,
    z.ZodDefault<typeof limit>
  >,
);

const QuotasResponse = z.object({
  quotas: Quotas,
  updatedAt: EpochMs.nullable().meta({ description: 'Null if they were never set' }),
});
export type QuotasResponse = z.infer<typeof QuotasResponse>;

const QUOTAS = {
  service: 'gateway',
  path: '/v1/projects/:projectId/quotas',
  tag: 'Quotas and usage',
  params: ProjectParams,
  conditional: true,
  responses: { 200: QuotasResponse },
} as const;

export const getQuotas = defineRoute({
  ...QUOTAS,
  operationId: 'getQuotas',
  sdk: 'quotas.get',
  method: 'get',
  summary: 'Read the quotas of a project',
  description:
    'What the project may send, have computed and store; null is no limit. `getProjectUsage` tells what it has used.',
  access: { kind: 'caller', scopes: ['workspace:read', 'workspace:admin'], permissions: ['project:read'] },
});

export const setQuotas = defineRoute({
  ...QUOTAS,
  operationId: 'setQuotas',
  sdk: 'quotas.set',
  method: 'put',
  summary: 'Set the quotas of a project',
  description:
    'Replaces all of them: one that is absent is no limit. In force within a second. What a quota refuses is answered ' +
    '429 `QUOTA_EXCEEDED`, with the quota, its limit, what was used and when it opens. The key that sets them must be ' +
    'for all projects of the workspace.',
  access: { kind: 'caller', scopes: ['workspace:admin'], permissions: ['workspace:admin'] },
  body: QuotasReplacement,
});
