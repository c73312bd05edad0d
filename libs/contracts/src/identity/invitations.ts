import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { EpochMs, pageQuery, ProjectId } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';
import { EmailAddress, Role } from './people.ts';

/** Time for which the link of an invitation works. */
export const INVITATION_MS = 7 * 24 * 3_600_000;
/** Maximum number of invitations of a workspace that nobody has accepted yet. */
export const MAX_INVITATIONS = 1_000;

const MAX_INVITED_PROJECTS = 100;

/** State of the mail that carries the link: `off` without a mail server. */
export const MAIL_STATES = ['off', 'sending', 'sent', 'failed'] as const;

export const ProjectRole = z.strictObject({ projectId: ProjectId, role: Role });
export type ProjectRole = z.infer<typeof ProjectRole>;

export const InvitationId = z.string().regex(idPattern('inv'), 'must be the id of an invitation');

export const Invitation = z
  .object({
    id: InvitationId,
    email: z.string(),
    role: z.literal('owner').nullable().meta({ description: 'Role in the workspace, if any' }),
    projectRoles: z.array(z.object(ProjectRole.shape)),
    mail: z.enum(MAIL_STATES).meta({ description: 'Delivery of the link by mail; the link works without it' }),
    createdBy: z.string().meta({
      description: 'Maker of its link: the id of a person or a key, without whose rights the link stops working',
    }),
    createdAt: EpochMs,
    expiresAt: EpochMs,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

export const NewInvitation = z
  .strictObject({
    email: EmailAddress,
    role: z.literal('owner').optional(),
    projectRoles: z.array(ProjectRole).max(MAX_INVITED_PROJECTS).default([]),
  })
  .refine(({ role, projectRoles }) => role !== undefined || projectRoles.length > 0, {
    path: ['projectRoles'],
    message: 'must name a project, or role must be owner',
  })
  .refine(({ projectRoles }) => new Set(projectRoles.map(({ projectId }) => projectId)).size === projectRoles.length, {
    path: ['projectRoles'],
    message: 'must not name a project twice',
  });
export type NewInvitation = z.infer<typeof NewInvitation>;

export const InvitationLink = z
  .object({
    invitation: Invitation,
    link: z.string().meta({ description: 'Works once; only a hash of its token is kept, so it is shown this once' }),
  })
  .meta({ id: 'InvitationLink' });
export type InvitationLink = z.infer<typeof InvitationLink>;

const MANAGE = {
  kind: 'caller',
  scopes: ['workspace:admin'],
  permissions: ['workspace:admin', 'project:members:manage'],
} as const;
const ALL = { service: 'gateway', tag: 'People', access: MANAGE, path: '/v1/invitations' } as const;
const ONE = {
  ...ALL,
  path: `${ALL.path}/:invitationId`,
  params: z.object({ invitationId: InvitationId }),
} as const;

export const createInvitation = defineRoute({
  ...ALL,
  operationId: 'createInvitation',
  sdk: 'invitations.create',
  method: 'post',
  summary: 'Invite somebody; the answer has the link, which can be copied and works without mail',
  description:
    'One invites to what one manages: to projects as their admin, to the workspace as its owner. With a mail server, the link is also sent; an invitation never fails because of it.',
  body: NewInvitation,
  responses: { 201: InvitationLink },
  errors: ['NOT_FOUND', 'CONFLICT', 'TOO_MANY_INVITATIONS'],
});

export const listInvitations = defineRoute({
  ...ALL,
  operationId: 'listInvitations',
  sdk: 'invitations.list',
  method: 'get',
  summary: 'List the invitations that nobody has accepted yet and that the caller may manage, newest first',
  description: 'Links are not shown again: `createInvitationLink` makes a new one.',
  query: z.strictObject({ ...pageQuery(500, 100), projectId: ProjectId.optional() }),
  responses: { 200: z.object({ invitations: z.array(Invitation), nextCursor: z.string().nullable() }) },
});

export const createInvitationLink = defineRoute({
  ...ONE,
  operationId: 'createInvitationLink',
  sdk: 'invitations.createLink',
  method: 'post',
  path: `${ONE.path}/link`,
  summary: 'Make a new link of an invitation, also when it has expired; the earlier one stops working',
  description: 'The link is shown this once.',
  responses: { 201: InvitationLink },
});

export const withdrawInvitation = defineRoute({
  ...ONE,
  operationId: 'withdrawInvitation',
  sdk: 'invitations.withdraw',
  method: 'delete',
  summary: 'Withdraw an invitation; safe to repeat',
  description: 'Its link stops working at once.',
  responses: { 204: null },
});
