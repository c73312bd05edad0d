import { z } from 'zod';
import { EpochMs, EpochMsQuery, ProjectParams } from '../common/primitives.ts';
import { commaList } from '../common/query-lists.ts';
import { defineRoute } from '../route.ts';
import { FINDING_FILTERS, isRange, NO_RANGE } from './finding-query.ts';
import { READ_FINDINGS } from './findings.ts';

/** Number up to which Findings are counted exactly. */
export const MAX_COUNTED_FINDINGS = 10_000;
/** Maximum number of values of one field that an answer counts, those with most Findings first. */
export const MAX_COUNTED_VALUES = 100;

export const FINDING_FACETS = [
  'severity',
  'reviewStatus',
  'resolutionStatus',
  'ruleId',
  'categoryKey',
  'assignee',
  'agent',
  'snoozed',
  'workItem',
] as const;
export type FindingFacet = (typeof FINDING_FACETS)[number];

const FINDINGS = '/v1/projects/:projectId/diagnostics/findings';

const AT_LEAST = z.boolean().meta({
  description: 'true where more than 10,000 match, or where they lie far apart: there are so many or more',
});
const ValueCount = z.object({
  value: z.string().nullable().meta({ description: 'null: nobody, or unknown' }),
  count: z.int().min(0),
});

const FindingCounts = z
  .object({
    total: z.int().min(0),
    atLeast: AT_LEAST,
    counts: z
      .partialRecord(z.enum(FINDING_FACETS), z.array(ValueCount))
      .meta({ description: 'By each field of `by`, the most frequent value first' }),
  })
  .meta({ id: 'FindingCounts' });
export type FindingCounts = z.infer<typeof FindingCounts>;

const CountsQuery = z
  .strictObject({ by: commaList(FINDING_FACETS).optional(), ...FINDING_FILTERS })
  .refine(isRange, NO_RANGE);
export type FindingCountsQuery = z.infer<typeof CountsQuery>;

export const countFindings = defineRoute({
  operationId: 'countFindings',
  sdk: 'findings.count',
  service: 'diagnostics-svc',
  method: 'get',
  path: `${FINDINGS}/counts`,
  tag: 'Findings',
  summary: 'Count the Findings of a list, in total and by the values of fields',
  description: `Exact up to ${MAX_COUNTED_FINDINGS}; beyond, the Findings that were detected last are counted, and \`atLeast\` is true.`,
  access: READ_FINDINGS,
  params: ProjectParams,
  query: CountsQuery,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: FindingCounts },
});

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Maximum number of intervals, and of hours, of one series. */
const MAX_SERIES_INTERVALS = 1_000;
const MAX_SERIES_HOURS = 2_400;
const MAX_SERIES_DAYS = 3_660;
export const SERIES_DIMENSIONS = ['severity', 'ruleId', 'categoryKey'] as const;
export type SeriesDimension = (typeof SERIES_DIMENSIONS)[number];

const HourQuery = EpochMsQuery.refine((atMs) => atMs % HOUR_MS === 0, 'must be a whole hour');

const SeriesQuery = z
  .strictObject({
    startMs: HourQuery.meta({ description: 'A whole hour' }),
    endMs: HourQuery.meta({ description: 'Exclusive, a whole hour' }),
    intervalMs: HourQuery.refine((intervalMs) => intervalMs > 0, 'must be positive').meta({
      description: 'Whole hours',
    }),
    by: z.enum(SERIES_DIMENSIONS).optional(),
  })
  .refine(({ startMs, endMs }) => startMs < endMs, { path: ['startMs'], message: 'must be earlier than endMs' })
  .refine(({ startMs, endMs, intervalMs }) => endMs - startMs <= intervalMs * MAX_SERIES_INTERVALS, {
    path: ['intervalMs'],
    message: `must leave at most ${MAX_SERIES_INTERVALS} intervals`,
  })
  .refine(
    ({ startMs, endMs, intervalMs }) => {
      const isOfDays = [startMs, endMs, intervalMs].every((ms) => ms % DAY_MS === 0);
      return endMs - startMs <= (isOfDays ? MAX_SERIES_DAYS * DAY_MS : MAX_SERIES_HOURS * HOUR_MS);
    },
    {
      path: ['endMs'],
      message: `must be at most ${MAX_SERIES_HOURS} hours later, or ${MAX_SERIES_DAYS} days where all three are whole days (UTC)`,
    },
  );
export type FindingSeriesQuery = z.infer<typeof SeriesQuery>;

export const readFindingSeries = defineRoute({
  operationId: 'readFindingSeries',
  sdk: 'findings.series',
  service: 'diagnostics-svc',
  method: 'get',
  path: `${FINDINGS}/series`,
  tag: 'Findings',
  summary: 'Read how many problems conversations showed over time, by when the conversations started',
  description:
    'An occurrence is a Finding in a conversation. Those of dismissed Findings count too; those of erased conversations do not. Intervals begin at `startMs`; those without an occurrence are left out.',
  access: READ_FINDINGS,
  params: ProjectParams,
  query: SeriesQuery,
  invalidQueryCode: 'INVALID_FILTER',
  responses: {
    200: z.object({
      series: z.array(
        z.object({
          startMs: EpochMs,
          value: z.string().optional().meta({ description: 'Of the field of `by`' }),
          occurrences: z.int().min(1),
        }),
      ),
    }),
  },
});
