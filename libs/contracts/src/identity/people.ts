import { z } from 'zod';
import { idPattern } from '@clew/kernel';
import { PERMISSIONS, type Permission } from '../access.ts';
import { EpochMs, ProjectId } from '../common/primitives.ts';

/** Roles of a person in a project, each with all that the one before it has. */
export const ROLES = ['viewer', 'editor', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

const VIEWER = ['project:read', 'project:data:read', 'project:diagnostics:read'] as const;
const EDITOR = [
  ...VIEWER,
  'project:update',
  'project:data:write',
  'project:diagnostics:write',
  'gateway:invoke',
] as const;

/** Permissions in a project, by role. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: VIEWER,
  editor: EDITOR,
  admin: [...EDITOR, 'project:models:manage', 'project:members:manage', 'project:keys:manage'],
};

/** Permissions of an owner of the workspace, in every project and outside of them. */
export const OWNER_PERMISSIONS: readonly Permission[] = PERMISSIONS;

/** Maximum number of projects that one person is a member of. */
export const MAX_MEMBERSHIPS = 1_000;
export const MAX_EMAIL_LENGTH = 254;

export const UserId = z.string().regex(idPattern('usr'), 'must be the id of a person');

/** Mail address as a person types it; addresses that differ only in case are the same person's. */
export const EmailAddress = z
  .string()
  .trim()
  .max(MAX_EMAIL_LENGTH)
  .regex(/^[^\s@\p{Cc}<>",;:]{1,64}@[^\s@\p{Cc}<>",;:]{1,253}$/u, 'must be a mail address')
  .refine((email) => email.isWellFormed(), 'must be well-formed text');

export const Membership = z.object({
  projectId: ProjectId,
  role: Role,
  managedBy: z
    .string()
    .optional()
    .meta({ description: 'The sign-in provider that gave the role, which is then not changed here' }),
});
export type Membership = z.infer<typeof Membership>;

export const Person = z
  .object({
    id: UserId,
    email: z.string(),
    name: z.string(),
    owner: z.boolean().meta({ description: 'Whether the whole workspace is open to this person' }),
    state: z.enum(['active', 'deactivated']),
    memberships: z.array(Membership),
    createdAt: EpochMs,
    updatedAt: EpochMs,
    lastSignedInAt: EpochMs.nullable(),
  })
  .meta({ id: 'Person' });
export type Person = z.infer<typeof Person>;
