import { AppError, type Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { SignedIn } from '../auth/credential.ts';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { userActor, type PeopleJournal } from '../people/people-journal.ts';
import { passwordOf, withPassword } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { SignInOrigin } from '../request-origin.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import type { SignInService } from './sign-in.service.ts';

export interface PasswordChangeDependencies {
  database: Database;
  users: Pick<UserStore, 'update'>;
  sessions: Sessions;
  signIn: Pick<SignInService, 'requirePassword'>;
  hasher: PasswordHasher;
  journal: PeopleJournal;
  clock: Clock;
  minPasswordLength: number;
  /** Called when a change has committed, so that this replica forgets before the broadcast arrives. */
  onChanged: (id: string) => void;
}

export interface PasswordChange {
  currentPassword?: string | undefined;
  newPassword: string;
}

export type ChangePassword = (
  signedIn: SignedIn,
  change: PasswordChange,
  origin: SignInOrigin,
) => Promise<OpenedSession>;

/** Changes a person's own password. All their sessions end, and the browser that asked gets a new one. */
export function createPasswordChange(deps: PasswordChangeDependencies): ChangePassword {
  const { database, users, sessions, signIn, hasher, journal, clock } = deps;
  return async ({ user, session }, { currentPassword, newPassword }, origin) => {
    await signIn.requirePassword(user, currentPassword, { origin });
    const { id, workspaceId, email, name } = user;
    requireGoodPassword(newPassword, deps.minPasswordLength, { email, name, path: 'body.newPassword' });
    const hash = await hasher.hash(newPassword);
    const checked = passwordOf(user)?.hash;
    return await database.withTransaction(async (tx) => {
      const nowMs = clock.now();
      const changed = await users.update(
        tx,
        id,
        (current) => {
          // The password that was checked must still be the one that is replaced.
          if (passwordOf(current)?.hash !== checked)
            throw new AppError('CONFLICT', 'The password has just been changed');
          return withPassword(current, hash, nowMs);
        },
        nowMs,
      );
      if (changed === undefined) throw new AppError('UNAUTHENTICATED', 'The account is gone');
      await sessions.endIn(tx, id, origin);
      const deed = { action: 'person.password-changed', workspaceId, actor: userActor(user), origin, nowMs } as const;
      await journal.record(tx, { ...deed, target: { kind: 'person', id } });
      await journal.announceUser(tx, changed, origin, nowMs);
      database.afterCommit(tx, () => deps.onChanged(id));
      return await sessions.openIn(tx, changed, session.method, origin);
    });
  };
}
