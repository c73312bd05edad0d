import { AppError, type Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { FewAtOnce } from '../passwords/few-at-once.ts';
import type { Logger } from '@clew/runtime';
import type { PasswordHasher } from '../passwords/password-hasher.ts';
import { userActor, type PeopleJournal } from '../people/people-journal.ts';
import { passwordOf, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { SignInOrigin } from '../request-origin.ts';
import type { OneTimeLinkStore } from './one-time-links.store.ts';
import { createProvePassword, verify } from './prove-password.ts';
import type { SignInThrottle } from './sign-in-throttle.ts';
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
  const { database, users, sessions, links, hasher, throttle, fewAtOnce, journal, tokens, clock } = deps;
  const prove = createProvePassword(deps);

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
    withPassword: (email: string, password: string, { origin, replaced }: Browser): Promise<OpenedSession> =>
      fewAtOnce(async () => {
        if (!deps.takesPasswords) throw passwordsAreOff();
        const user = await prove(await users.findByEmail(email), { email, password }, origin);
        return await sessions.openSession(user, 'password', origin, replaced);
      }),

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

/** Refusal of a password where passwords do not sign in. */
export function passwordsAreOff(): AppError {
  return new AppError('PASSWORD_SIGN_IN_OFF', 'Passwords do not sign in here: use a sign-in provider');
}
