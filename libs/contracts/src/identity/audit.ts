import { z } from 'zod';
import { EpochMs, EpochMsQuery, JsonObject, pageQuery, ProjectId, ProjectParams } from '../common/primitives.ts';
import { defineRoute, streamed } from '../route.ts';

/** Deeds that the audit records, by area. An action is written `<area>.<deed>`. */
export const AUDIT_DEEDS = {
  workspace: ['set-up'],
  project: ['created', 'renamed', 'deleted'],
  'api-key': ['created', 'rotated', 'revoked'],
  person: [
    'created',
    'renamed',
    'role-changed',
    'deactivated',
    'reactivated',
    'deleted',
    'password-changed',
    'identity-linked',
  ],
  session: ['signed-in', 'sign-in-failed', 'signed-out', 'ended'],
  invitation: ['created', 'link-renewed', 'accepted', 'withdrawn'],
  member: ['added', 'role-changed', 'removed'],
  reset: ['created', 'used', 'withdrawn'],
  'one-time-link': ['created', 'used'],
  device: ['approved', 'denied', 'signed-in'],
  connector: ['created', 'changed', 'deleted'],
  webhook: ['created', 'changed', 'deleted', 'secret-rotated'],
  'model-provider': ['created', 'changed', 'deleted'],
  rule: ['changed'],
  'diagnostics-settings': ['changed'],
  'knowledge-settings': ['changed'],
  'telemetry-settings': ['changed'],
  'model-settings': ['changed'],
  'learning-goal': ['created', 'changed'],
  'project-quotas': ['changed'],
  dataset: ['deleted'],
  erasure: ['requested'],
} as const;

type Deeds = typeof AUDIT_DEEDS;

export type AuditArea = keyof Deeds;
export type AuditAction = { [Area in AuditArea]: `${Area}.${Deeds[Area][number]}` }[AuditArea];

export const AUDIT_AREAS = Object.keys(AUDIT_DEEDS) as AuditArea[];
export const AUDIT_ACTIONS = Object.entries(AUDIT_DEEDS).flatMap(([area, deeds]) =>
  deeds.map((deed) => `${area}.${deed}` as AuditAction),
);

/** Kinds of who does a deed. `bootstrap` is the command that makes the first workspace, `system` the product itself. */
export const AuditActor = z
  .object({ kind: z.enum(['user', 'key', 'bootstrap', 'system']), id: z.string().min(1).max(200) })
  .meta({ id: 'AuditActor' });
export type AuditActor = z.infer<typeof AuditActor>;

export const AUDIT_TARGET_KINDS = [
  'workspace',
  'project',
  'api-key',
  'person',
  'session',
  'invitation',
  'link',
  'device',
  'address',
  'connector',
  'webhook',
  'model-provider',
  'rule',
  'settings',
  'learning-goal',
  'dataset',
  'conversation',
  'erasure',
] as const;

/** Thing that a deed was done to. */
export interface AuditTarget {
  kind: (typeof AUDIT_TARGET_KINDS)[number];
  id: string;
}

/** Doer of a deed: who, from where and in which request. */
export interface Doer {
  actor: AuditActor;
  /** Network address that the request came from, as the gateway saw it. */
  address: string | null;
  requestId: string;
}

export const AuditRecord = z
  .object({
    id: z.string(),
    at: EpochMs,
    action: z.string().meta({ description: 'An area and a deed, as `api-key.revoked`; a later version may know more' }),
    actor: AuditActor,
    target: z.object({ kind: z.string(), id: z.string() }),
    projectId: z
      .string()
      .nullable()
      .meta({ description: 'Null for what concerns the workspace, or more than one project' }),
    address: z.string().nullable().meta({ description: 'Where the request came from' }),
    requestId: z.string(),
    before: JsonObject.nullable().meta({ description: 'What was changed, as it was; never a secret' }),
    after: JsonObject.nullable().meta({ description: 'The same, as it is from then on' }),
  })
  .meta({ id: 'AuditRecord' });
export type AuditRecord = z.infer<typeof AuditRecord>;

const AuditId = z.string().min(1).max(200);

const ProjectAuditFilters = {
  actor: AuditId.optional().meta({ description: 'Id of a person or a key, or `bootstrap`' }),
  action: z
    .enum([...AUDIT_AREAS, ...AUDIT_ACTIONS] as [string, ...string[]])
    .optional()
    .meta({ description: 'One action, or an area with all its actions' }),
  target: AuditId.optional().meta({ description: 'Id of what a deed was done to' }),
  after: EpochMsQuery.optional().meta({ description: 'At this time or later' }),
  before: EpochMsQuery.optional().meta({ description: 'Before this time' }),
};
const AuditFilters = { ...ProjectAuditFilters, projectId: ProjectId.optional() };

export interface AuditFilter {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  projectId?: string | undefined;
  after?: number | undefined;
  before?: number | undefined;
}

const AUDIT = {
  service: 'gateway',
  method: 'get',
  tag: 'Audit',
} as const;
const ADMIN = { kind: 'caller', scopes: ['workspace:admin'], permissions: ['workspace:admin'] } as const;
const PROJECT_ADMIN = { kind: 'caller', scopes: ['workspace:admin'], permissions: ['project:members:manage'] } as const;

const WHAT_A_KEY_SEES =
  'A key that opens only some projects sees what concerns one of those alone. Entries are written with the deed that they record; those of deeds in other services than the gateway follow within moments. They are kept for `AUDIT_DAYS`, also when their project is deleted.';
const AuditPage = z.object({ entries: z.array(AuditRecord), nextCursor: z.string().nullable() });

export const listAudit = defineRoute({
  ...AUDIT,
  operationId: 'listAudit',
  sdk: 'audit.list',
  path: '/v1/audit',
  summary: 'List administrative deeds and sign-in events, newest first',
  description: WHAT_A_KEY_SEES,
  access: ADMIN,
  query: z.strictObject({ ...AuditFilters, ...pageQuery(500, 100) }),
  responses: { 200: AuditPage },
});

export const exportAudit = defineRoute({
  ...AUDIT,
  operationId: 'exportAudit',
  sdk: 'audit.export',
  path: '/v1/audit/export',
  summary: 'Stream the same entries as JSONL, newest first',
  description: WHAT_A_KEY_SEES,
  access: ADMIN,
  routeClass: 'stream',
  query: z.strictObject(AuditFilters),
  responses: { 200: streamed({ 'application/jsonl': AuditRecord }) },
  responseHeaders: { 'content-disposition': 'Names the file' },
});

export const listProjectAudit = defineRoute({
  ...AUDIT,
  operationId: 'listProjectAudit',
  sdk: 'audit.listOfProject',
  path: '/v1/projects/:projectId/audit',
  summary: 'List the deeds that concern one project alone, newest first',
  description:
    'What people and keys have administered in this project: who, what, when, from where, before and after. `listAudit` tells what concerns the workspace.',
  access: PROJECT_ADMIN,
  params: ProjectParams,
  query: z.strictObject({ ...ProjectAuditFilters, ...pageQuery(500, 100) }),
  responses: { 200: AuditPage },
});
