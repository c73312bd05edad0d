import type { Api } from '@clew/sdk';

export type Permission = NonNullable<Api.Me['permissions']>[number];

/** Whether somebody has a right in a project. The API decides; this only spares people buttons that it would refuse. */
export function may(me: Api.Me, projectId: string, permission: Permission): boolean {
  if (me.owner === true) return true;
  const membership = me.memberships?.find((each) => each.projectId === projectId);
  return membership?.permissions.includes(permission) ?? false;
}

const ROLES: Readonly<Record<string, string>> = {
  'project:read': 'viewer',
  'project:data:read': 'viewer',
  'project:diagnostics:read': 'viewer',
  'project:update': 'editor',
  'project:data:write': 'editor',
  'project:diagnostics:write': 'editor',
  'gateway:invoke': 'editor',
  'project:models:manage': 'editor',
  'project:members:manage': 'admin',
  'project:keys:manage': 'admin',
  'workspace:admin': 'owner',
};

/** Lowest role that has a right; undefined for one that this version does not know. */
export function roleWith(permission: string): string | undefined {
  return ROLES[permission];
}
