import type { Scope } from '@clew/contracts';
import { unknownKey, type StoredApiKey } from '../api-keys/api-key.ts';
import { scopesIn } from '../api-keys/scopes-of-person.ts';
import { isActive, type StoredUser } from '../people/user.ts';
import type { StoredSession } from '../sessions/session.ts';

/** Person who is signed in. The first three members are those of a key, so that both are handled alike. */
export interface SignedIn {
  /** Id of the person, under which their requests are counted. */
  readonly id: string;
  readonly workspaceId: string;
  readonly projectIds: 'all' | readonly string[];
  readonly user: StoredUser;
  readonly session: StoredSession;
}

/** Key as it counts at this moment. */
export interface LiveKey extends StoredApiKey {
  /** Version of the person whose key it is, which changes with their rights; undefined for nobody's. */
  readonly personVersion?: number;
}

/** Key or person that the credential of a request stands for. */
export type Credential = LiveKey | SignedIn;

export function isSignedIn(credential: Credential): credential is SignedIn {
  return 'session' in credential;
}

export function signedInAs(user: StoredUser, session: StoredSession): SignedIn {
  const { id, workspaceId } = user;
  return { id, workspaceId, projectIds: projectsOf(user), user, session };
}

export function projectsOf({ owner, memberships }: StoredUser): 'all' | string[] {
  return owner ? 'all' : memberships.map(({ projectId }) => projectId);
}

/**
 * Narrows a person's key to what the person may do now: the projects that are still open to them, and in those the
 * scopes that they have in each. Throws for the key of somebody who is deactivated or gone, or has none of it left.
 */
export function narrowToPerson(key: StoredApiKey, user: StoredUser | undefined): LiveKey {
  if (user === undefined || !isActive(user) || user.workspaceId !== key.workspaceId) throw unknownKey();
  if (user.owner) return { ...key, personVersion: user.version };
  const open = projectsOf(user);
  const projectIds =
    open === 'all' ? key.projectIds : open.filter((id) => key.projectIds === 'all' || key.projectIds.includes(id));
  const mine: readonly Scope[] = scopesIn(user, projectIds);
  const scopes = key.scopes.filter((scope) => mine.includes(scope));
  if (projectIds.length === 0 || scopes.length === 0) throw unknownKey();
  return { ...key, projectIds, scopes, personVersion: user.version };
}

/** Key of the internal identity token in the signer's cache: it changes when the rights in the token do. */
export function tokenKeyOf(credential: Credential): string {
  if (isSignedIn(credential)) return `${credential.id}.${credential.user.version}`;
  return credential.personVersion === undefined ? credential.id : `${credential.id}.${credential.personVersion}`;
}
