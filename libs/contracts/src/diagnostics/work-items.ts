import { z } from 'zod';
import { pageQuery, ProjectParams } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { Finding, FindingParams, READ_FINDINGS, WRITE_FINDINGS } from './findings.ts';
import {
  GitHubDestination,
  GitLabDestination,
  JiraDestination,
  LinearDestination,
  trackerNamed,
  TrackerProviderName,
} from './issue-trackers.ts';
import { SYNC_OUTCOMES, SYNC_STATES, WORK_ITEM_STATUSES, WorkItem } from './work-item.ts';

const COMMON = {
  connectorId: z.string().min(1).max(100).optional().meta({ description: 'Absent: the default one of the provider' }),
  existing: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .meta({ description: 'URL or key of an issue that exists already; it is taken over and not made' }),
};

/** Handoff of a repair to an issue tracker. */
export const NewWorkItem = z
  .discriminatedUnion('provider', [
    z.strictObject({ provider: trackerNamed('github'), destination: GitHubDestination.optional(), ...COMMON }),
    z.strictObject({ provider: trackerNamed('gitlab'), destination: GitLabDestination.optional(), ...COMMON }),
    z.strictObject({ provider: trackerNamed('jira'), destination: JiraDestination.optional(), ...COMMON }),
    z.strictObject({ provider: trackerNamed('linear'), destination: LinearDestination.optional(), ...COMMON }),
  ])
  .meta({ id: 'NewWorkItem' });
export type NewWorkItem = z.infer<typeof NewWorkItem>;

const WorkItemsQuery = z.strictObject({
  status: z.enum(WORK_ITEM_STATUSES).optional(),
  provider: TrackerProviderName.optional(),
  syncState: z.enum(SYNC_STATES).optional(),
  ...pageQuery(500, 100),
});
export type WorkItemsQuery = z.infer<typeof WorkItemsQuery>;

const DIAGNOSTICS = '/v1/projects/:projectId/diagnostics';
const WORK_ITEMS = `${DIAGNOSTICS}/findings/:findingId/work-items` as const;
const WORK_ITEM = `${WORK_ITEMS}/:workItemId` as const;
const ALL = { service: 'diagnostics-svc', tag: 'Work items', invalidQueryCode: 'INVALID_FILTER' } as const;
const OF_FINDING = { ...ALL, params: FindingParams } as const;
const ONE = { ...ALL, params: FindingParams.extend({ workItemId: z.string() }) } as const;
const ACTION = { ...ONE, method: 'post', access: WRITE_FINDINGS } as const;
const PAGE = z.object({ workItems: z.array(WorkItem), nextCursor: z.string().nullable() });

export const listProjectWorkItems = defineRoute({
  ...ALL,
  operationId: 'listProjectWorkItems',
  sdk: 'workItems.list',
  method: 'get',
  path: `${DIAGNOSTICS}/work-items`,
  summary: 'List the work items of a project, newest first',
  description: 'Also those that were replaced or abandoned.',
  access: READ_FINDINGS,
  params: ProjectParams,
  query: WorkItemsQuery,
  responses: { 200: PAGE },
  errors: ['FINDING_WORK_ITEMS_UNAVAILABLE'],
});

export const listWorkItems = defineRoute({
  ...OF_FINDING,
  operationId: 'listWorkItems',
  sdk: 'workItems.listOfFinding',
  method: 'get',
  path: WORK_ITEMS,
  summary: 'List the work items of a Finding, newest first',
  description: 'A work item ties a Finding to an issue at an issue tracker. A Finding has at most one that is active.',
  access: READ_FINDINGS,
  query: z.strictObject(pageQuery(500, 100)),
  responses: { 200: PAGE },
  errors: ['FINDING_NOT_FOUND', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});

export const getWorkItem = defineRoute({
  ...ONE,
  operationId: 'getWorkItem',
  sdk: 'workItems.get',
  method: 'get',
  path: WORK_ITEM,
  summary: 'Read one work item',
  description: 'Its issue, the state of the issue there, and whether the last look at it failed.',
  access: READ_FINDINGS,
  responses: { 200: WorkItem },
  errors: ['FINDING_NOT_FOUND', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});

export const createWorkItem = defineRoute({
  ...OF_FINDING,
  operationId: 'createWorkItem',
  sdk: 'workItems.create',
  method: 'post',
  path: WORK_ITEMS,
  summary: 'Hand the repair of a Finding over to an issue tracker, which confirms the Finding',
  description:
    'Without `destination` that of the connector. The issue is waited for at most ten seconds; where that is not enough, ' +
    'or the provider refuses, the item is `provisioning`, and `syncState` and `syncError` say why.',
  access: WRITE_FINDINGS,
  idempotent: true,
  body: NewWorkItem,
  responses: { 201: WorkItem },
  errors: [
    'FINDING_NOT_FOUND',
    'FINDING_MERGED',
    'FINDING_DISMISSED',
    'WORK_ITEM_ALREADY_EXISTS',
    'WORK_ITEM_PROVIDER_UNAVAILABLE',
    'FINDING_WORK_ITEMS_UNAVAILABLE',
  ],
});

export const syncWorkItem = defineRoute({
  ...ACTION,
  operationId: 'syncWorkItem',
  sdk: 'workItems.sync',
  path: `${WORK_ITEM}/sync`,
  summary: 'Take over the state of the issue from the provider',
  description:
    '`failed`: the provider could not be read. `not_syncable`: there is no issue, or no longer. `not_current`: the item ' +
    'was replaced or abandoned while the provider was read.',
  responses: { 200: z.object({ outcome: z.enum(SYNC_OUTCOMES), finding: Finding }) },
  errors: [
    'FINDING_NOT_FOUND',
    'WORK_ITEM_NOT_CURRENT',
    'WORK_ITEM_PROVIDER_UNAVAILABLE',
    'FINDING_WORK_ITEMS_UNAVAILABLE',
  ],
});

export const retryWorkItem = defineRoute({
  ...ACTION,
  operationId: 'retryWorkItem',
  sdk: 'workItems.retry',
  path: `${WORK_ITEM}/retry`,
  summary: 'Try again to make the issue of a work item whose provisioning failed',
  description: 'Never makes a second issue: an issue that was made after all is found again.',
  responses: { 200: WorkItem },
  errors: [
    'FINDING_NOT_FOUND',
    'WORK_ITEM_NOT_CURRENT',
    'WORK_ITEM_NOT_RETRYABLE',
    'WORK_ITEM_PROVIDER_UNAVAILABLE',
    'FINDING_WORK_ITEMS_UNAVAILABLE',
  ],
});

export const replaceWorkItem = defineRoute({
  ...ACTION,
  operationId: 'replaceWorkItem',
  sdk: 'workItems.replace',
  path: `${WORK_ITEM}/replacements`,
  summary: 'Replace a work item with a new one at another provider or destination',
  description: 'The issue of the old one stays as it is. 400 for the same provider and destination.',
  idempotent: true,
  body: NewWorkItem,
  responses: { 201: WorkItem },
  errors: [
    'FINDING_NOT_FOUND',
    'FINDING_MERGED',
    'FINDING_DISMISSED',
    'WORK_ITEM_NOT_CURRENT',
    'WORK_ITEM_PROVIDER_UNAVAILABLE',
    'FINDING_WORK_ITEMS_UNAVAILABLE',
  ],
});

export const abandonWorkItem = defineRoute({
  ...ACTION,
  operationId: 'abandonWorkItem',
  sdk: 'workItems.abandon',
  path: `${WORK_ITEM}/abandon`,
  summary: 'Detach a work item from its Finding; the issue stays as it is',
  description: 'For an issue that nobody will finish. The Finding may get another work item afterwards.',
  responses: { 200: WorkItem },
  errors: ['FINDING_NOT_FOUND', 'WORK_ITEM_NOT_CURRENT', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});
