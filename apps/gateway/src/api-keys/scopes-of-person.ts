import { SCOPES, type Permission, type Scope } from '@clew/contracts';
import { permissionsIn, type StoredUser } from '../people/user.ts';

/** Permissions that somebody needs in a project to give a key that scope: all that the scope opens is open to them. */
const NEEDED: Readonly<Record<Scope, readonly Permission[]>> = {
  'workspace:read': ['project:read', 'project:data:read'],
  'workspace:write': ['project:update', 'project:data:write'],
  'models:manage': ['project:models:manage'],
  'gateway:invoke': ['gateway:invoke'],
  'project:data:write': ['project:data:write'],
  'diagnostics:read': ['project:diagnostics:read'],
  'diagnostics:write': ['project:diagnostics:write'],
  'telemetry:write': ['project:data:write'],
  'workspace:admin': ['workspace:admin'],
};

/** Scopes that the permissions cover. */
export function scopesCoveredBy(permissions: readonly Permission[]): readonly Scope[] {
  return SCOPES.filter((scope) => NEEDED[scope].every((needed) => permissions.includes(needed)));
}

/** Scopes that a person has in every one of the projects. */
export function scopesIn(
  user: Pick<StoredUser, 'owner' | 'memberships'>,
  projectIds: 'all' | readonly string[],
): readonly Scope[] {
  if (user.owner) return SCOPES;
  if (projectIds === 'all') return [];
  const covered = projectIds.map((projectId) => scopesCoveredBy(permissionsIn(user, projectId) ?? []));
  return SCOPES.filter((scope) => covered.every((scopes) => scopes.includes(scope)));
}
