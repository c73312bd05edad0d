import { AppError } from '@clew/kernel';
import { MAX_MEMBERSHIPS, type Member, type Membership, type PersonChange, type Role } from '@clew/contracts';
import { isActive, type StoredUser } from '../people/user.ts';
import { atLeast, requireCovers, requireManages, type Rights } from './rights.ts';

/** Gives a person a role in a project; the same object if they have it already. */
export function withRole(rights: Rights, user: StoredUser, projectId: string, role: Role): StoredUser {
  requireManages(rights, projectId);
  const held = membershipIn(user, projectId);
  requireUnmanaged(held);
  return held?.role === role ? user : { ...user, memberships: replaced(user.memberships, { projectId, role }) };
}

/** Takes a person out of a project; the same object if they are not in it. */
export function withoutRole(rights: Rights, user: StoredUser, projectId: string): StoredUser {
  requireManages(rights, projectId);
  const held = membershipIn(user, projectId);
  requireUnmanaged(held);
  return held === undefined ? user : closedTo(user, projectId);
}

/** Removes a project from a person, whoever gave the role: the project is gone. */
export function closedTo(user: StoredUser, projectId: string): StoredUser {
  return { ...user, memberships: user.memberships.filter((each) => each.projectId !== projectId) };
}

/**
 * Adds what an invitation gives to a person. It never lowers a role, and leaves managed ones as they are; the same
 * object if the person has all of it already.
 */
export function withInvited(
  user: StoredUser,
  { owner, projectRoles }: { owner: boolean; projectRoles: readonly Membership[] },
): StoredUser {
  const gained = projectRoles.filter(({ projectId, role }) => {
    const held = membershipIn(user, projectId);
    return held === undefined || (held.managedBy === undefined && !atLeast(held.role, role));
  });
  if (gained.length === 0 && (user.owner || !owner)) return user;
  return { ...user, owner: user.owner || owner, memberships: gained.reduce(replaced, user.memberships) };
}

/** Applies a change of an owner, or of a key for all projects; the same object if nothing changes. */
export function changed(rights: Rights, user: StoredUser, change: PersonChange): StoredUser {
  requireWholeWorkspace(rights);
  requireCovers(rights, user);
  if (change.owner === true && !rights.owner) throw new AppError('FORBIDDEN', 'Only an owner makes an owner');
  const { name = user.name, state = user.state, owner = user.owner } = change;
  const isSame = name === user.name && state === user.state && owner === user.owner;
  return isSame ? user : { ...user, name, state, owner };
}

export function requireWholeWorkspace({ roles }: Rights): void {
  if (roles === 'admin') return;
  throw new AppError('FORBIDDEN', 'Only a credential for all projects of the workspace can change a person');
}

/** Decides which sign-in providers manage roles, by the configuration. */
export type IsManager = (providerId: string) => boolean;

/** Frees the roles of providers that manage none any more: people may change them again. */
export function released(user: StoredUser, isManager: IsManager): StoredUser {
  const isLeft = ({ managedBy }: Membership) => managedBy !== undefined && !isManager(managedBy);
  if (!user.memberships.some(isLeft)) return user;
  const freed = ({ projectId, role }: Membership): Membership => ({ projectId, role });
  return { ...user, memberships: user.memberships.map((held) => (isLeft(held) ? freed(held) : held)) };
}

/** Whether a change makes or unmakes an active owner; undefined is a person who is not there. */
export function changesOwners(before: StoredUser | undefined, after: StoredUser | undefined): boolean {
  return isActiveOwner(before) !== isActiveOwner(after);
}

/** Throws if a change leaves a workspace without an active owner; `activeOwners` is their number before it. */
export function requireOwnerLeft(
  before: StoredUser | undefined,
  after: StoredUser | undefined,
  activeOwners: number,
): void {
  if (!isActiveOwner(before) || isActiveOwner(after) || activeOwners > 1) return;
  throw new AppError('LAST_OWNER', 'The workspace has no other active owner');
}

function isActiveOwner(user: StoredUser | undefined): boolean {
  return user !== undefined && user.owner && isActive(user);
}

export function membershipIn({ memberships }: Pick<StoredUser, 'memberships'>, projectId: string) {
  return memberships.find((each) => each.projectId === projectId);
}

export function memberView(user: StoredUser, { role, managedBy = null }: Omit<MembershipView, 'projectId'>): Member {
  const { id: userId, email, name, owner, state } = user;
  return { userId, email, name, role, managedBy, owner, state };
}

type MembershipView = Omit<Membership, 'managedBy'> & { managedBy?: string | null | undefined };

function requireUnmanaged(held: Membership | undefined): void {
  if (held?.managedBy === undefined) return;
  throw new AppError('MEMBER_MANAGED', `The role is managed by the sign-in provider "${held.managedBy}"`);
}

function replaced(memberships: readonly Membership[], given: Membership): Membership[] {
  const index = memberships.findIndex(({ projectId }) => projectId === given.projectId);
  if (index !== -1) return memberships.with(index, given);
  if (memberships.length >= MAX_MEMBERSHIPS) {
    throw new AppError('CONFLICT', `A person is a member of at most ${MAX_MEMBERSHIPS} projects`);
  }
  return [...memberships, given];
}
