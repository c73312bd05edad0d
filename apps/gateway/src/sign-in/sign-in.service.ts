import { AppError, type Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
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
  journal: PeopleJournal;
  tokens: Tokens;
  clock: Clock;
  /** Whether passwords sign in (`PASSWORD_SIGN_IN`). */
  takesPasswords: boolean;
}

/** Browser that signs in: whence, and the value of the session that it may have already. */
export interface Browser {
  origin: SignInOrigin;
  replaced: string | undefined;
}

export type SignInService = ReturnType<typeof createSignInService>;

export function createSignInService(deps: SignInDependencies) {
  const { database, users, sessions, links, hasher, throttle, journal, tokens, clock } = deps;

  /** Notes failures in the audit once for each row of them, not one by one. */
  async function noteRefusals(user: StoredUser, origin: SignInOrigin, failures: number): Promise<void> {
    const { id, workspaceId } = user;
    const deed = { action: 'session.sign-in-failed', workspaceId, actor: userActor(user), origin } as const;
    await database.withTransaction((tx) =>
      journal.record(tx, { ...deed, target: { kind: 'person', id }, after: { failures }, nowMs: clock.now() }),
    );
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

  async function prove(
    user: StoredUser | undefined,
    { email, password }: { email: string; password: string },
    origin: SignInOrigin,
  ): Promise<StoredUser> {
    const attempt = await throttle.begin({
      ...{ address: origin.address, account: emailKeyOf(email) },
      isFamiliar: () => isFamiliar(user, origin.address),
    });
    const hash = user === undefined ? undefined : passwordOf(user)?.hash;
    const { isRight, needsRehash } = await verify(hasher, attempt, [password, hash]);
    if (user === undefined || hash === undefined || !isRight || !isActive(user)) {
      await attempt.failed();
      const isNotable = await attempt.isNotable();
      if (isNotable && user !== undefined) await noteRefusals(user, origin, attempt.failures);
      throw wrong();
    }
    await attempt.succeeded();
    if (needsRehash) await rehash(user.id, password, hash);
    return user;
  }

  async function spendLink(tx: Transaction, token: string, origin: SignInOrigin): Promise<StoredUser | undefined> {
    const nowMs = clock.now();
    const { userId = null } = (await links.use(tx, 'sign-in', tokens.hashOf('link', token), nowMs)) ?? {};
    const found = userId === null ? undefined : await users.get(userId, tx);
    if (found === undefined) return undefined;
    const { id, workspaceId } = found;
    const deed = { action: 'one-time-link.used', workspaceId, actor: userActor(found), origin } as const;
    await journal.record(tx, { ...deed, target: { kind: 'person', id }, nowMs });
    return found;
  }

  return {
    /** Signs in with a password. Unknown addresses, wrong passwords and closed accounts are the same refusal. */
    async withPassword(email: string, password: string, { origin, replaced }: Browser): Promise<OpenedSession> {
      if (!deps.takesPasswords) throw passwordsAreOff();
      const user = await prove(await users.findByEmail(email), { email, password }, origin);
      return await sessions.openSession(user, 'password', origin, replaced);
    },

    /** Checks the password of somebody who is not signed in; resolves with them, or throws the one refusal. */
    prove,

    /** Uses up a link that signs in once, in a transaction; undefined if it is unknown, used or expired. */
    spendLink,

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
      const user = await database.withTransaction((tx) => spendLink(tx, token, origin));
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

/** Refusal of a password where passwords do not sign in. */
export function passwordsAreOff(): AppError {
  return new AppError('PASSWORD_SIGN_IN_OFF', 'Passwords do not sign in here: use a sign-in provider');
}

function wrong(): AppError {
  return new AppError('UNAUTHENTICATED', 'The mail address or the password is wrong');
}
