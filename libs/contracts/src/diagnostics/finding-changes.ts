import { z } from 'zod';
import { ErrorBodySchema } from '../common/error-body.ts';
import { EpochMs, Name, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Finding, FindingParams, REVIEW_STATUSES, WRITE_FINDINGS } from './findings.ts';

/** Maximum number of Findings that one request changes. */
export const MAX_BULK_FINDINGS = 100;

const FINDINGS = '/v1/projects/:projectId/diagnostics/findings';
const ReviewStatusChange = z.enum(REVIEW_STATUSES);
const ResolutionStatusChange = z.enum(['resolved', 'unresolved']);
const Assignee = Name.nullable();

export const NewSnooze = z
  .strictObject({
    until: EpochMs.optional(),
    furtherOccurrences: z.int().min(1).max(1_000_000).optional(),
  })
  .refine(({ until, furtherOccurrences }) => until !== undefined || furtherOccurrences !== undefined, {
    message: 'must hold until, furtherOccurrences or both',
  })
  .meta({ id: 'NewSnooze' });
export type NewSnooze = z.infer<typeof NewSnooze>;

const EXACTLY_ONE = 'must hold exactly one of reviewStatus and resolutionStatus';

/** Status that a person sets on a Finding: either its review or its resolution, never both at once. */
export const FindingStatusChange = z
  .strictObject({ reviewStatus: ReviewStatusChange.optional(), resolutionStatus: ResolutionStatusChange.optional() })
  .refine(
    ({ reviewStatus, resolutionStatus }) => (reviewStatus === undefined) !== (resolutionStatus === undefined),
    EXACTLY_ONE,
  )
  .meta({ id: 'FindingStatusChange' });
export type FindingStatusChange = z.infer<typeof FindingStatusChange>;

/** Change of one member of a Finding by a person. */
export const FindingChange = z
  .strictObject({
    reviewStatus: ReviewStatusChange.optional(),
    resolutionStatus: ResolutionStatusChange.optional(),
    assignee: Assignee.optional(),
    snooze: NewSnooze.nullable().optional(),
  })
  .refine(
    (change) => Object.values(change).filter((value) => value !== undefined).length === 1,
    'must hold exactly one of reviewStatus, resolutionStatus, assignee and snooze',
  )
  .meta({ id: 'FindingChange' });
export type FindingChange = z.infer<typeof FindingChange>;

const CHANGES_ONE = {
  service: 'diagnostics-svc',
  tag: 'Findings',
  access: WRITE_FINDINGS,
  conditional: true,
  params: FindingParams,
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: Finding },
} as const;

export const updateFinding = defineRoute({
  ...CHANGES_ONE,
  operationId: 'updateFinding',
  sdk: 'findings.update',
  method: 'patch',
  path: `${FINDINGS}/:findingId`,
  summary: 'Set the review status or the resolution status of a Finding',
  description:
    'Exactly one of the two. A dismissal clears the resolution. With `If-Match`, 412 when people have changed it since.',
  body: FindingStatusChange,
  errors: ['FINDING_NOT_FOUND', 'FINDING_MERGED', 'ACTIVE_WORK_ITEM', 'WORK_ITEM_NOT_DONE'],
});

export const assignFinding = defineRoute({
  ...CHANGES_ONE,
  operationId: 'assignFinding',
  sdk: 'findings.assign',
  method: 'put',
  path: `${FINDINGS}/:findingId/assignee`,
  summary: 'Say who is to look after a Finding; null for nobody',
  description: 'Shown with the Finding, and found by the filter `assignee`.',
  body: z.strictObject({ assignee: Assignee }),
  errors: ['FINDING_NOT_FOUND', 'FINDING_MERGED'],
});

export const snoozeFinding = defineRoute({
  ...CHANGES_ONE,
  operationId: 'snoozeFinding',
  sdk: 'findings.snooze',
  method: 'put',
  path: `${FINDINGS}/:findingId/snooze`,
  summary: 'Put a Finding off until a moment, or until so many more conversations show it; null ends that',
  description: 'Lists leave it out with `snoozed=false`. It comes back by itself.',
  body: z.strictObject({ snooze: NewSnooze.nullable() }),
  errors: ['FINDING_NOT_FOUND', 'FINDING_MERGED'],
});

export const updateFindings = defineRoute({
  operationId: 'updateFindings',
  sdk: 'findings.updateMany',
  service: 'diagnostics-svc',
  method: 'post',
  path: `${FINDINGS}/bulk-updates`,
  tag: 'Findings',
  summary: 'Change up to 100 Findings in one way',
  description: 'Each on its own, with an outcome for each, in the order in which they are named.',
  access: WRITE_FINDINGS,
  params: ProjectParams,
  invalidQueryCode: 'INVALID_FILTER',
  body: z.strictObject({
    findingIds: z
      .array(z.string().max(512))
      .min(1)
      .max(MAX_BULK_FINDINGS)
      .refine((ids) => new Set(ids).size === ids.length, 'must not hold an id twice'),
    change: FindingChange,
  }),
  responses: {
    200: z.object({
      results: z.array(
        z.object({
          findingId: z.string(),
          outcome: z.enum(['updated', 'unchanged', 'refused']),
          error: ErrorBodySchema.omit({ requestId: true }).optional().meta({ description: 'Why it was refused' }),
        }),
      ),
    }),
  },
});
