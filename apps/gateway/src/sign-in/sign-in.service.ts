import { AppError, type Clock } from '@clew/kernel';
import type { Database } from '@clew/persistence';
import type { FewAtOnce } from '../passwords/few-at-once.ts';
import type { Logger } from '@clew/runtime';
import type { PasswordHasher, Verification } from '../passwords/password-hasher.ts';
import { userActor, type PeopleJournal } from '../people/people-journal.ts';
import { emailKeyOf, isActive, passwordOf, withPassword, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { SignInOrigin } from '../request-origin.ts';
import { addressBlock } from './address-block.ts';
import type { OneTimeLinkStore } from './one-time-links.store.ts';
import type { BegunTry, SignInThrottle } from './sign-in-throttle.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.service.ts';
import type { Tokens } from '../sessions/tokens.ts';

export interface SignInDependencies {
  database: Database;
  users: UserStore;
  sessions: Sessions;
  links: OneTimeLinkStore;
  hasher: PasswordHasher;
  throttle: SignInThrottle;
  /** Places for tries: each asks the database several times before its hash is computed. */
  fewAtOnce: FewAtOnce;
  journal: PeopleJournal;
  tokens: Tokens;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

/** Browser that signs in: whence, and the value of the session that it may have already. */
export interface Browser {
  origin: SignInOrigin;
  replaced: string | undefined;
}

export type SignInService = ReturnType<typeof createSignInService>;

export function createSignInService(deps: SignInDependencies) {
  const { database, users, sessions, links, hasher, throttle, fewAtOnce, journal, tokens, clock, logger } = deps;

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

  async function tryPassword(email: string, password: string, { origin, replaced }: Browser): Promise<OpenedSession> {
    const user = await users.findByEmail(email);
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
    return await sessions.openSession(user, 'password', origin, replaced);
  }

  return {
    /** Signs in with a password. Unknown addresses, wrong passwords and closed accounts are the same refusal. */
    withPassword: (email: string, password: string, browser: Browser) =>
      fewAtOnce(() => tryPassword(email, password, browser)),

    /** Checks the password of somebody who is signed in, before they change what it protects. */
    async requirePassword(
      user: StoredUser,
      password: string | undefined,
      { origin }: Pick<Browser, 'origin'>,
    ): Promise<void> {
      const hash = passwordOf(user)?.hash;
      if (hash === undefined) return;
      const attempt = await throttle.begin({
        ...{ address: origin.address, account: user.emailKey },
        isFamiliar: () => Promise.resolve(true),
      });
      const { isRight } = await verify(hasher, attempt, [password ?? '', hash]);
      await (isRight ? attempt.succeeded() : attempt.failed());
      if (!isRight) throw new AppError('FORBIDDEN', 'The current password is wrong');
    },

    /** Signs in with a link that works once. Its token is too long to be guessed, so that no try has to wait. */
    async withLink(token: string, { origin, replaced }: Browser): Promise<OpenedSession> {
      const hash = tokens.hashOf('link', token);
      const user = await database.withTransaction(async (tx) => {
        const nowMs = clock.now();
        const { userId = null } = (await links.use(tx, 'sign-in', hash, nowMs)) ?? {};
        const found = userId === null ? undefined : await users.get(userId, tx);
        if (found === undefined) return undefined;
        const { id, workspaceId } = found;
        const deed = { action: 'one-time-link.used', workspaceId, actor: userActor(found), origin } as const;
        await journal.record(tx, { ...deed, target: { kind: 'person', id }, nowMs });
        return found;
      });
      if (user === undefined) throw new AppError('UNAUTHENTICATED', 'The link is unknown, used or expired');
      return await sessions.openSession(user, 'link', origin, replaced);
    },
  };
}

/** Compares a password with a hash; if there is no room to do so, nothing has been tried. */
async function verify(
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
