import { z } from 'zod';
import { EpochMs, pageQuery, textOf } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { FindingParams, READ_FINDINGS, WRITE_FINDINGS } from './findings.ts';

const ACTIVITY = '/v1/projects/:projectId/diagnostics/findings/:findingId/activity';

/** Entry in the activity of a Finding: one change of it, or a comment. */
export const FindingActivity = z
  .object({
    id: z.string(),
    findingId: z.string(),
    kind: z.enum(['review', 'resolution', 'assignee', 'snooze', 'comment', 'merge', 'unmerge', 'split', 'work_item']),
    from: z.string().nullable().meta({
      description:
        'Value before the change; null for a comment. For a merge or unmerge the Finding that was moved, for a split the Finding that was split, for a work item the one before',
    }),
    to: z.string().nullable().meta({
      description:
        'Value after the change; null for a comment. For a merge the Finding that it was merged into, for an unmerge the Finding that it left, for a split the new Finding, for a work item the new one',
    }),
    text: z.string().nullable().meta({
      description: 'Text of a comment; for a split, the condition for the conversations that it takes, as JSON',
    }),
    actor: z.object({ kind: z.enum(['key', 'user', 'service']), id: z.string() }),
    createdAt: EpochMs,
  })
  .meta({ id: 'FindingActivity' });
export type FindingActivity = z.infer<typeof FindingActivity>;

export const listFindingActivity = defineRoute({
  operationId: 'listFindingActivity',
  sdk: 'findings.activity.list',
  service: 'diagnostics-svc',
  method: 'get',
  path: ACTIVITY,
  tag: 'Findings',
  summary: 'List what was done to a Finding and said of it, newest first',
  description: 'Comments of people, and every change of status, assignee, cluster and work item, with its author.',
  access: READ_FINDINGS,
  params: FindingParams,
  query: z.strictObject(pageQuery(500, 100)),
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: z.object({ activity: z.array(FindingActivity), nextCursor: z.string().nullable() }) },
  errors: ['FINDING_NOT_FOUND'],
});

export const getFindingActivity = defineRoute({
  operationId: 'getFindingActivity',
  sdk: 'findings.activity.get',
  service: 'diagnostics-svc',
  method: 'get',
  path: `${ACTIVITY}/:activityId`,
  tag: 'Findings',
  summary: 'Read one entry of the activity of a Finding',
  description: 'Who did what to the Finding, and when.',
  access: READ_FINDINGS,
  params: FindingParams.extend({ activityId: z.string() }),
  invalidQueryCode: 'INVALID_FILTER',
  responses: { 200: FindingActivity },
  errors: ['FINDING_NOT_FOUND'],
});

export const commentOnFinding = defineRoute({
  operationId: 'commentOnFinding',
  sdk: 'findings.comment',
  service: 'diagnostics-svc',
  method: 'post',
  path: '/v1/projects/:projectId/diagnostics/findings/:findingId/comments',
  tag: 'Findings',
  summary: 'Comment on a Finding',
  description: 'Kept with the Finding, below the name of its author; it cannot be changed.',
  access: WRITE_FINDINGS,
  idempotent: true,
  params: FindingParams,
  invalidQueryCode: 'INVALID_FILTER',
  body: z.strictObject({ text: textOf(10_000).refine((text) => text.trim() !== '', 'must not be empty') }),
  responses: { 201: FindingActivity },
  errors: ['FINDING_NOT_FOUND'],
});
