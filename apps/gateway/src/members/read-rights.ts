import { AppError, type Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import { isLive } from '../api-keys/api-key.ts';
import type { ApiKeyStore } from '../api-keys/api-keys.store.ts';
import type { GatewayCaller } from '../caller.ts';
import { isActive } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import { common, rightsOfKey, rightsOfUser, type Rights } from './rights.ts';

export interface ReadRights {
  /**
   * Reads the rights of a caller at this moment, not those it had when it was authenticated: somebody whose role was
   * lowered gives nothing more from that transaction on.
   */
  ofCaller(caller: GatewayCaller, tx?: Transaction): Promise<Rights>;
  /** Reads the rights of the maker of a link; those of one who is gone are none. */
  ofMaker(maker: { id: string; workspaceId: string }, tx?: Transaction): Promise<Rights | undefined>;
}

export interface ReadRightsDependencies {
  users: Pick<UserStore, 'get'>;
  apiKeys: Pick<ApiKeyStore, 'get'>;
  clock: Clock;
}

export function createReadRights({ users, apiKeys, clock }: ReadRightsDependencies): ReadRights {
  async function activeUser(userId: string, workspaceId: string, tx: Transaction | undefined) {
    const user = await users.get(userId, tx);
    return user !== undefined && user.workspaceId === workspaceId && isActive(user) ? user : undefined;
  }

  return {
    async ofCaller({ principal, workspaceId, projectIds }, tx) {
      if (principal.kind === 'key') return rightsOfKey({ scopes: principal.scopes, projectIds });
      const user = await activeUser(principal.id, workspaceId, tx);
      if (user === undefined) throw new AppError('UNAUTHENTICATED', 'The session has ended');
      return rightsOfUser(user);
    },
    async ofMaker({ id, workspaceId }, tx) {
      if (id.startsWith('usr_')) {
        const user = await activeUser(id, workspaceId, tx);
        return user === undefined ? undefined : rightsOfUser(user);
      }
      const key = await apiKeys.get(id, tx);
      if (key === undefined || key.workspaceId !== workspaceId || !isLive(key, clock.now())) return undefined;
      if (key.userId === null) return rightsOfKey(key);
      // A person's key manages nobody whom the person does not manage.
      const person = await activeUser(key.userId, workspaceId, tx);
      return person === undefined ? undefined : common(rightsOfKey(key), rightsOfUser(person));
    },
  };
}
