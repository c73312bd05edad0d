import { z } from 'zod';
import { BooleanQuery, EpochMsQuery, pageQuery, textOf } from '../common/primitives.ts';
import { commaList, nameList } from '../common/query-lists.ts';
import { SEVERITIES } from './detection.ts';

export const REVIEW_STATUSES = ['unreviewed', 'confirmed', 'dismissed'] as const;
export const RESOLUTION_STATUSES = ['unresolved', 'awaiting_verification', 'resolved', 'regressed'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];
export type ResolutionStatus = (typeof RESOLUTION_STATUSES)[number];

/** Fields by which Findings are sorted, the highest value first. */
export const FINDING_SORTS = ['lastDetectedAt', 'diagnosticScore', 'occurrenceCount', 'firstDetectedAt'] as const;
export type FindingSort = (typeof FINDING_SORTS)[number];

export const WORK_ITEM_PRESENCES = ['none', 'active', 'done'] as const;
export type WorkItemPresence = (typeof WORK_ITEM_PRESENCES)[number];

const IS_NO_SCORE = 'must be a number from 0 to 1';
/** Any number in JSON notation, in range. */
const ScoreQuery = z
  .string()
  .regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/, { error: IS_NO_SCORE, abort: true })
  .transform(Number)
  .pipe(z.number(IS_NO_SCORE).min(0, IS_NO_SCORE).max(1, IS_NO_SCORE));

/** Maximum number of Rules or categories that one filter names. */
const MAX_NAMED = 10;

/** Filters of the list of Findings, of their counts, and of nothing else. */
export const FINDING_FILTERS = {
  reviewStatus: commaList(REVIEW_STATUSES).optional(),
  resolutionStatus: commaList(RESOLUTION_STATUSES).optional(),
  severity: commaList(SEVERITIES).optional(),
  minDiagnosticScore: ScoreQuery.optional(),
  lastDetectedAfter: EpochMsQuery.optional().meta({ description: 'Inclusive' }),
  lastDetectedBefore: EpochMsQuery.optional().meta({ description: 'Exclusive' }),
  ruleId: nameList(MAX_NAMED, 100).optional(),
  categoryKey: nameList(MAX_NAMED, 100).optional(),
  assignee: z.string().min(1).max(200).optional().meta({
    description: '`me` for the caller, `none` for Findings that nobody looks after, or who looks after them',
  }),
  q: textOf(200)
    .trim()
    .min(1)
    .optional()
    .meta({ description: 'Words of the title in any order and case; the last one may be the beginning of a word' }),
  conversationId: z.string().min(1).max(512).optional().meta({ description: 'A conversation that shows it' }),
  agent: z.string().min(1).max(400).optional().meta({ description: 'The agent that must speak for it to occur' }),
  snoozed: BooleanQuery.optional(),
  workItem: z.enum(WORK_ITEM_PRESENCES).optional().meta({ description: '`active`: one that is not done' }),
} as const;

interface DetectedRange {
  lastDetectedAfter?: number | undefined;
  lastDetectedBefore?: number | undefined;
}

export function isRange({ lastDetectedAfter, lastDetectedBefore }: DetectedRange): boolean {
  return lastDetectedAfter === undefined || lastDetectedBefore === undefined || lastDetectedAfter < lastDetectedBefore;
}
export const NO_RANGE = { path: ['lastDetectedAfter'], message: 'must be earlier than lastDetectedBefore' };

export const FindingQuery = z
  .strictObject({
    ...FINDING_FILTERS,
    sort: z.enum(FINDING_SORTS).optional().meta({ description: '`lastDetectedAt` by default; the highest first' }),
    ...pageQuery(500, 100),
  })
  .refine(isRange, NO_RANGE);
export type FindingQuery = z.infer<typeof FindingQuery>;
export type FindingFilter = Omit<FindingQuery, 'limit' | 'cursor' | 'sort'>;
