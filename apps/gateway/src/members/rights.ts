import { AppError } from '@clew/kernel';
import { ROLES, type Role } from '@clew/contracts';
import type { StoredApiKey } from '../api-keys/api-key.ts';
import type { StoredUser } from '../people/user.ts';

/** Rights of somebody who gives a role or changes a person: nobody gives more than this. */
export interface Rights {
  /** Whether the whole workspace is theirs, and with it the right to make owners. */
  owner: boolean;
  /** Roles by project, or `admin` of every project, also of those to come. */
  roles: 'admin' | ReadonlyMap<string, Role>;
}

const NONE: Rights = { owner: false, roles: new Map() };
/** Rights of who has the server itself. */
export const EVERYTHING: Rights = { owner: true, roles: 'admin' };

export function rightsOfUser(user: Pick<StoredUser, 'owner' | 'state' | 'memberships'>): Rights {
  if (user.state !== 'active') return NONE;
  if (user.owner) return { owner: true, roles: 'admin' };
  return { owner: false, roles: new Map(user.memberships.map(({ projectId, role }) => [projectId, role])) };
}

/** Rights of a key: with `workspace:admin` it acts as an admin of its projects, and never as an owner. */
export function rightsOfKey({ scopes, projectIds }: { scopes: readonly string[]; projectIds: KeyReach }): Rights {
  if (!scopes.includes('workspace:admin')) return NONE;
  return { owner: false, roles: projectIds === 'all' ? 'admin' : new Map(projectIds.map((id) => [id, 'admin'])) };
}

type KeyReach = Readonly<StoredApiKey['projectIds']>;

/** Rights that somebody has who needs both. */
export function common(left: Rights, right: Rights): Rights {
  const owner = left.owner && right.owner;
  if (left.roles === 'admin') return { owner, roles: right.roles };
  const shared = [...left.roles].flatMap(([projectId, role]): [string, Role][] => {
    const other = roleIn(right, projectId);
    return other === undefined ? [] : [[projectId, atLeast(role, other) ? other : role]];
  });
  return { owner, roles: new Map(shared) };
}

export function roleIn({ roles }: Rights, projectId: string): Role | undefined {
  return roles === 'admin' ? 'admin' : roles.get(projectId);
}

/** Whether somebody manages the members of a project, and so gives any role in it. */
export function manages(rights: Rights, projectId: string): boolean {
  return roleIn(rights, projectId) === 'admin';
}

export function requireManages(rights: Rights, projectId: string): void {
  if (!manages(rights, projectId))
    throw new AppError('FORBIDDEN', 'The members of this project are not yours to manage');
}

/** Whether somebody manages the members of any project: without that, nobody is theirs to change. */
function managesAny({ roles }: Rights): boolean {
  return roles === 'admin' || [...roles.values()].includes('admin');
}

/** Throws unless the rights include all that an invitation, or a person, is given. */
export function requireMayGive(
  rights: Rights,
  given: { owner: boolean; projectRoles: readonly { projectId: string }[] },
): void {
  if (!mayGive(rights, given)) throw new AppError('FORBIDDEN', 'A role is not yours to give');
}

export function mayGive(
  rights: Rights,
  { owner, projectRoles }: { owner: boolean; projectRoles: readonly { projectId: string }[] },
): boolean {
  return (rights.owner || !owner) && projectRoles.every(({ projectId }) => manages(rights, projectId));
}

/**
 * Throws unless the rights include all that a person has. Who changes a person's state or password could otherwise
 * gain, or take away, what is not theirs.
 */
export function requireCovers(rights: Rights, user: Pick<StoredUser, 'owner' | 'memberships'>): void {
  if (!covers(rights, user)) throw new AppError('FORBIDDEN', 'The person has rights that you lack');
}

export function covers(rights: Rights, { owner, memberships }: Pick<StoredUser, 'owner' | 'memberships'>): boolean {
  if (!managesAny(rights) || (owner && !rights.owner)) return false;
  return memberships.every(({ projectId, role }) => {
    const own = roleIn(rights, projectId);
    return own !== undefined && atLeast(own, role);
  });
}

export function atLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other);
}
