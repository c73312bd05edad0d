import { z } from 'zod';
import { ProjectId, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const DAY_MS = 24 * 3_600_000;
/** Most days of one request. */
export const MAX_USAGE_DAYS = 400;
/** Most groups in one answer: those with most tokens come first. */
export const MAX_USAGE_GROUPS = 1_000;
/** Most projects of one internal request. */
export const MAX_USAGE_PROJECTS = 1_000;

const TOO_LONG = `must be at most ${MAX_USAGE_DAYS} days, the first not after the last`;

const days = {
  fromDay: z.iso.date().meta({ description: 'First day (UTC), inclusive' }),
  toDay: z.iso.date().meta({ description: 'Last day (UTC), inclusive' }),
};

function isSpan({ fromDay, toDay }: { fromDay: string; toDay: string }): boolean {
  const span = Date.parse(toDay) - Date.parse(fromDay);
  return span >= 0 && span < MAX_USAGE_DAYS * DAY_MS;
}

const count = z.int().min(0);

export const Cost = z
  .object({
    currency: z.string(),
    amount: z.string().meta({ description: 'Decimal number, exact' }),
  })
  .meta({ id: 'Cost' });
export type Cost = z.infer<typeof Cost>;

const inference = {
  calls: count,
  failedCalls: count,
  inputTokens: count,
  outputTokens: count,
  unpricedTokens: count.meta({ description: 'Tokens of models that had no price when they were called' }),
  costs: z.array(Cost).meta({ description: 'By currency, at the prices of the time of each call' }),
};

/** Use of models by the calls of one group. */
export const InferenceUsage = z.object({ group: z.string(), ...inference });
export type InferenceUsage = z.infer<typeof InferenceUsage>;

/** Telemetry of one group. */
export const IngestUsage = z.object({
  group: z.string(),
  ingestedBytes: count,
  ingestedRecords: count,
  storedBytes: count.nullable(),
});
export type IngestUsage = z.infer<typeof IngestUsage>;

export const UsageRow = z
  .object({
    group: z.string().meta({ description: 'The day, the model, the project, or the id of a key, person or service' }),
    ...inference,
    ingestedBytes: count.nullable().meta({ description: 'Null where groups are models or keys' }),
    ingestedRecords: count.nullable(),
    storedBytes: count.nullable().meta({ description: 'As last measured on the day, or in the days; null if never' }),
  })
  .meta({ id: 'UsageRow' });
export type UsageRow = z.infer<typeof UsageRow>;

const UsageResponse = z.object({
  usage: z.array(UsageRow),
  isComplete: z.boolean().meta({ description: `False if there are more than ${MAX_USAGE_GROUPS} groups` }),
});
export type UsageResponse = z.infer<typeof UsageResponse>;

const TAG = 'Quotas and usage';

export const getProjectUsage = defineRoute({
  operationId: 'getProjectUsage',
  sdk: 'usage.ofProject',
  service: 'gateway',
  method: 'get',
  path: '/v1/projects/:projectId/usage',
  tag: TAG,
  summary: 'Read usage and cost of a project by day, model or key',
  description: 'Usage appears within seconds. Days come in order, other groups by their tokens, most first.',
  access: { kind: 'caller', scopes: ['workspace:read', 'workspace:admin'], permissions: ['project:read'] },
  params: ProjectParams,
  query: z
    .strictObject({ ...days, by: z.enum(['day', 'model', 'key', 'project']).default('day') })
    .refine(isSpan, { path: ['toDay'], message: TOO_LONG }),
  responses: { 200: UsageResponse },
});

export const getUsage = defineRoute({
  operationId: 'getUsage',
  sdk: 'usage.ofWorkspace',
  service: 'gateway',
  method: 'get',
  path: '/v1/usage',
  tag: TAG,
  summary: 'Read usage and cost over the projects of the caller by project or day',
  description:
    `Of the newest ${MAX_USAGE_PROJECTS} projects; \`isComplete\` is false if there are more. A key that opens only ` +
    'some projects sees those.',
  access: { kind: 'caller', scopes: ['workspace:admin'], permissions: ['workspace:admin'] },
  query: z
    .strictObject({ ...days, by: z.enum(['project', 'day', 'model', 'key']).default('project') })
    .refine(isSpan, { path: ['toDay'], message: TOO_LONG }),
  responses: { 200: UsageResponse },
});

export const USAGE_GROUPS = ['day', 'model', 'key', 'project'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

const sumRequest = {
  ...days,
  projectIds: z.array(ProjectId).min(1).max(MAX_USAGE_PROJECTS),
};

/** Internal: adds up the calls of models. */
export const sumInferenceUsage = defineRoute({
  operationId: 'sumInferenceUsage',
  service: 'model-runtime-svc',
  method: 'post',
  path: '/internal/v1/inference-usage',
  tag: 'Internal',
  summary: 'Add up calls, tokens and cost',
  access: { kind: 'internal', services: ['gateway'] },
  body: z.strictObject({ ...sumRequest, by: z.enum(USAGE_GROUPS) }),
  responses: { 200: z.object({ usage: z.array(InferenceUsage), isComplete: z.boolean() }) },
});

/** Internal: adds up what was ingested. */
export const sumIngestUsage = defineRoute({
  operationId: 'sumIngestUsage',
  service: 'telemetry-warehouse',
  method: 'post',
  path: '/internal/v1/ingest-usage',
  tag: 'Internal',
  summary: 'Add up what was ingested, with what is stored',
  access: { kind: 'internal', services: ['gateway'] },
  body: z.strictObject({ ...sumRequest, by: z.enum(['day', 'project']) }),
  responses: { 200: z.object({ usage: z.array(IngestUsage) }) },
});
