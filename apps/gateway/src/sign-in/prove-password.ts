import { AppError, type Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { Logger } from '@clew/runtime';
import type { PasswordHasher, Verification } from '../passwords/password-hasher.ts';
import { userActor, type PeopleJournal } from '../people/people-journal.ts';
import { emailKeyOf, isActive, passwordOf, withPassword, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { SignInOrigin } from '../request-origin.ts';
import type { Sessions } from '../sessions/sessions.service.ts';
import { addressBlock } from './address-block.ts';
import type { BegunTry, SignInThrottle } from './sign-in-throttle.ts';

export interface ProvePasswordDependencies {
  database: Database;
  users: Pick<UserStore, 'update'>;
  sessions: Pick<Sessions, 'list'>;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  journal: PeopleJournal;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Checks the password of somebody who is not signed in; resolves with them. An unknown person, a wrong password and a
 * closed account are one refusal, and take the same time.
 */
export type ProvePassword = (
  user: StoredUser | undefined,
  given: { email: string; password: string },
  origin: SignInOrigin,
) => Promise<StoredUser>;

export function createProvePassword(deps: ProvePasswordDependencies): ProvePassword {
  const { database, users, sessions, hasher, throttle, journal, clock, logger } = deps;

  /**
   * Notes failures in the audit once for each row of them, not one by one. The answer does not wait for it: the time
   * would tell that there is such an account.
   */
  function noteRefusals(user: StoredUser, origin: SignInOrigin, failures: number): void {
    const { id, workspaceId } = user;
    const deed = { action: 'session.sign-in-failed', workspaceId, actor: userActor(user), origin } as const;
    database
      .withTransaction((tx) =>
        journal.record(tx, { ...deed, target: { kind: 'person', id }, after: { failures }, nowMs: clock.now() }),
      )
      .catch((error: unknown) => logger.warn({ err: error, userId: id }, 'could not note that sign-ins failed'));
  }

  async function rehash(userId: string, password: string, oldHash: string): Promise<void> {
    const hash = await hasher.hash(password);
    await database.withTransaction((tx) =>
      users.update(
        tx,
        userId,
        (user) => {
          const current = passwordOf(user);
          return current?.hash === oldHash ? withPassword(user, hash, current.changedAt) : user;
        },
        clock.now(),
      ),
    );
  }

  async function isFamiliar(user: StoredUser | undefined, address: string | null): Promise<boolean> {
    // The database is asked in any case, so that unknown accounts take the same time.
    const open = await sessions.list(user?.id ?? '');
    return open.some(({ ip }) => addressBlock(ip) === addressBlock(address));
  }

  return async (user, { email, password }, origin) => {
    const attempt = await throttle.begin({
      ...{ address: origin.address, account: emailKeyOf(email) },
      isFamiliar: () => isFamiliar(user, origin.address),
    });
    const hash = user === undefined ? undefined : passwordOf(user)?.hash;
    const { isRight, needsRehash } = await verify(hasher, attempt, [password, hash]);
    if (user === undefined || hash === undefined || !isRight || !isActive(user)) {
      await attempt.failed();
      const isNotable = await attempt.isNotable();
      if (isNotable && user !== undefined) noteRefusals(user, origin, attempt.failures);
      throw wrong();
    }
    await attempt.succeeded();
    if (needsRehash) await rehash(user.id, password, hash);
    return user;
  };
}

/** Compares a password with a hash; if there is no room to do so, nothing has been tried. */
export async function verify(
  hasher: PasswordHasher,
  attempt: BegunTry,
  [password, hash]: [string, string | undefined],
): Promise<Verification> {
  try {
    return await hasher.verify(password, hash);
  } catch (error) {
    await attempt.withdraw();
    throw error;
  }
}

function wrong(): AppError {
  return new AppError('UNAUTHENTICATED', 'The mail address or the password is wrong');
}
