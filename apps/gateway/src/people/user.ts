import { normalised } from '@clew/kernel';
import { OWNER_PERMISSIONS, ROLE_PERMISSIONS, type Membership, type Permission, type Person } from '@clew/contracts';

export interface PasswordCredential {
  kind: 'password';
  /** PHC string, which names its algorithm and its costs. */
  hash: string;
  changedAt: number;
}

/** Account at a sign-in provider. */
export interface UserIdentity {
  issuer: string;
  subject: string;
}

/** Person as stored. One document holds all of it, so that a change of a role is one write. */
export interface StoredUser {
  id: string;
  workspaceId: string;
  /** Mail address as it was typed. */
  email: string;
  /** Address by which a person is found: the same for all ways to write it. */
  emailKey: string;
  name: string;
  owner: boolean;
  state: 'active' | 'deactivated';
  memberships: Membership[];
  credentials: PasswordCredential[];
  identities: UserIdentity[];
  createdAt: number;
  updatedAt: number;
  lastSignedInAt: number | null;
  /** Number of changes; each change writes the next. */
  version: number;
}

/** Key by which an address is found: normalized, in lower case. */
export function emailKeyOf(email: string): string {
  return normalised(email.trim(), 'NFC').toLowerCase();
}

/** Permissions of a person in a project; undefined if the project is not open to them. */
export function permissionsIn(
  user: Pick<StoredUser, 'owner' | 'memberships'>,
  projectId: string,
): readonly Permission[] | undefined {
  if (user.owner) return OWNER_PERMISSIONS;
  const membership = user.memberships.find((each) => each.projectId === projectId);
  return membership === undefined ? undefined : ROLE_PERMISSIONS[membership.role];
}

export function isActive(user: Pick<StoredUser, 'state'>): boolean {
  return user.state === 'active';
}

export function passwordOf({ credentials }: Pick<StoredUser, 'credentials'>): PasswordCredential | undefined {
  return credentials.find(({ kind }) => kind === 'password');
}

export function withPassword(user: StoredUser, hash: string, nowMs: number): StoredUser {
  const others = user.credentials.filter(({ kind }) => kind !== 'password');
  return { ...user, credentials: [...others, { kind: 'password', hash, changedAt: nowMs }] };
}

/** Person as others see them: without credentials. */
export function personView(user: StoredUser): Person {
  const { id, email, name, owner, state, memberships, createdAt, updatedAt, lastSignedInAt } = user;
  return { id, email, name, owner, state, memberships, createdAt, updatedAt, lastSignedInAt };
}
