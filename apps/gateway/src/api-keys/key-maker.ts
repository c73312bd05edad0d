import { isActive, permissionsIn, type StoredUser } from '../people/user.ts';
import { unknownKey, type KeyMaker } from './api-key.ts';
import { scopesIn } from './scopes-of-person.ts';

/** Projects whose keys a person manages. */
export function projectsWithKeysOf(user: StoredUser): 'all' | string[] {
  if (user.owner) return 'all';
  const ids = user.memberships.map(({ projectId }) => projectId);
  return ids.filter((projectId) => permissionsIn(user, projectId)?.includes('project:keys:manage'));
}

/** Rights that a person may hand on to a key for these projects: what they have in each of them. */
export function makerOfPerson(user: StoredUser | undefined, projectIds: 'all' | readonly string[]): KeyMaker {
  if (user === undefined || !isActive(user)) throw unknownKey();
  const { id, workspaceId } = user;
  const scopes = scopesIn(user, projectIds);
  return { id, workspaceId, scopes, projectIds: projectsWithKeysOf(user), expiresAt: null, userId: id };
}
