import { z } from 'zod';
import { ProjectId } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Bytes and records together, since every message has both. */
export const IngestAmount = z.object({ bytes: count, records: count });
export type IngestAmount = z.infer<typeof IngestAmount>;

const Day = z.iso.date().meta({ description: 'UTC' });

export const IngestCount = z.strictObject({
  projectId: ProjectId,
  day: Day,
  counted: IngestAmount.meta({ description: 'What this process accepted that day, since its start' }),
  needed: IngestAmount.meta({ description: 'What waits to be accepted' }),
  wanted: IngestAmount.meta({ description: 'What the process would like to accept without asking again' }),
});
export type IngestCount = z.infer<typeof IngestCount>;

const limits = z.object({ bytes: count.nullable(), records: count.nullable() });

export const IngestAllowance = z.object({
  projectId: ProjectId,
  day: Day,
  limit: limits,
  used: IngestAmount.meta({ description: 'By all processes together, as far as they have told' }),
  mayReach: limits.meta({ description: 'What the count of this process may reach; null: anything' }),
  storage: z
    .object({ limit: count, used: count })
    .nullable()
    .meta({ description: 'The quota of stored bytes, if it is used up' }),
});
export type IngestAllowance = z.infer<typeof IngestAllowance>;

/** Maximum number of projects in one report. */
export const MAX_INGEST_COUNTS = 100;

/** Internal: a process reports what it has accepted, and learns what it may accept. */
export const reportIngest = defineRoute({
  operationId: 'reportIngest',
  service: 'telemetry-warehouse',
  method: 'post',
  path: '/internal/v1/ingest-counts',
  tag: 'Internal',
  summary: 'Report what was accepted, and learn what may be',
  description: 'Counts only grow while their process runs, so a repeat changes nothing.',
  access: { kind: 'internal', services: ['telemetry-ingest'] },
  body: z.strictObject({
    replica: z.string().regex(/^[a-z0-9_]{1,60}$/i),
    counts: z.array(IngestCount).min(1).max(MAX_INGEST_COUNTS),
  }),
  responses: { 200: z.object({ allowances: z.array(IngestAllowance) }) },
});
