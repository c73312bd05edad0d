import { z } from 'zod';

/** Deeds that the audit records, by area. An action is written `<area>.<deed>`. */
export const AUDIT_DEEDS = {
  workspace: ['set-up'],
  project: ['created', 'renamed', 'deleted'],
  quota: ['changed'],
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
  'learning-goal': ['created', 'changed', 'deleted'],
  dataset: ['deleted', 'exported'],
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
