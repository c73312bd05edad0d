import { AppError, type Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { RequestOrigin } from '../request-origin.ts';
import { userActor, type PeopleJournal } from './people-journal.ts';
import type { StoredUser } from './user.ts';
import type { UserStore } from './users.store.ts';

export interface ProfileDependencies {
  database: Database;
  users: Pick<UserStore, 'update'>;
  journal: PeopleJournal;
  clock: Clock;
  /** Called when a change has committed, so that this replica forgets before the broadcast arrives. */
  onChanged: (id: string) => void;
}

export type ProfileService = ReturnType<typeof createProfileService>;

/** Changes that people make to themselves. */
export function createProfileService({ database, users, journal, clock, onChanged }: ProfileDependencies) {
  return {
    async rename(before: StoredUser, name: string, origin: RequestOrigin): Promise<StoredUser> {
      const { id, workspaceId } = before;
      const nowMs = clock.now();
      return await database.withTransaction(async (tx) => {
        const user = await users.update(
          tx,
          id,
          (current) => (current.name === name ? current : { ...current, name }),
          nowMs,
        );
        if (user === undefined) throw new AppError('UNAUTHENTICATED', 'The account is gone');
        if (before.name !== name) {
          const deed = { action: 'person.renamed', workspaceId, actor: userActor(before), origin, nowMs } as const;
          const change = { before: { name: before.name }, after: { name } };
          await journal.record(tx, { ...deed, target: { kind: 'person', id }, ...change });
          await journal.announceUser(tx, user, origin, nowMs);
          database.afterCommit(tx, () => onChanged(id));
        }
        return user;
      });
    },
  };
}
