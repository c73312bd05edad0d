import { AppError, type Clock } from '@clew/kernel';
import type { SignInMethod } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { userActor, type PeopleJournal } from '../people/people-journal.ts';
import { isActive, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { RequestOrigin, SignInOrigin } from '../request-origin.ts';
import type { SessionCookie } from './session-cookie.ts';
import { isSessionLive, newSession, SESSION_MAX_MS, type StoredSession } from './session.ts';
import type { SessionStore } from './sessions.store.ts';
import type { Tokens } from './tokens.ts';

export interface SessionsDependencies {
  database: Database;
  sessions: SessionStore;
  users: Pick<UserStore, 'get' | 'noteSignIn'>;
  journal: PeopleJournal;
  tokens: Tokens;
  cookie: SessionCookie;
  clock: Clock;
  /** Called when a change has committed, so that this replica forgets before the broadcast arrives. */
  onChanged: (id: string) => void;
}

/** Person who has just signed in, and the header that gives their browser the session. */
export interface OpenedSession {
  user: StoredUser;
  session: StoredSession;
  setCookie: string;
}

export interface Sessions {
  /**
   * Signs a person in: the one way to a session, however they proved who they are. The session always has a new value,
   * and the one of the same browser ends (`replaced`: the value in its cookie), so that nobody can plant one beforehand.
   */
  openSession(
    user: Pick<StoredUser, 'id'>,
    method: SignInMethod,
    origin: SignInOrigin,
    replaced?: string,
  ): Promise<OpenedSession>;
  /** Does the same in a transaction. */
  openIn(tx: Transaction, user: StoredUser, method: SignInMethod, origin: SignInOrigin): Promise<OpenedSession>;
  /** Ends sessions of a person in a transaction: all, or all but one; every gateway forgets them. */
  endIn(tx: Transaction, userId: string, origin: RequestOrigin, allBut?: string): Promise<void>;
  /** Ends one session, or all but one, of a person, at their own wish. */
  end(user: StoredUser, which: { ids: readonly string[] } | { allBut: string }, origin: RequestOrigin): Promise<void>;
  /** Ends the session with this value; succeeds also if there is none. */
  endByValue(value: string, origin: RequestOrigin): Promise<void>;
  list(userId: string): Promise<StoredSession[]>;
}

/** Sessions of one person; beyond, the oldest ends. */
const MAX_SESSIONS = 50;

export function createSessions(deps: SessionsDependencies): Sessions {
  const { database, sessions, users, journal, tokens, cookie, clock } = deps;

  async function openIn(
    tx: Transaction,
    user: StoredUser,
    method: SignInMethod,
    origin: SignInOrigin,
  ): Promise<OpenedSession> {
    if (!isActive(user)) throw new AppError('UNAUTHENTICATED', 'The account is not active');
    const nowMs = clock.now();
    const { value, hash } = tokens.make('session');
    const session = newSession(user.id, method, origin, { hash, nowMs });
    const before = await sessions.ofUser(user.id, tx);
    const live = before.filter((each) => isSessionLive(each, nowMs)).slice(0, MAX_SESSIONS - 1);
    const leaving = before.filter((each) => !live.includes(each)).map(({ id }) => id);
    if (leaving.length > 0) await removeIn(tx, user.id, { ids: leaving }, origin);
    await sessions.insert(tx, session);
    await journal.record(tx, {
      ...{ action: 'session.signed-in', workspaceId: user.workspaceId, actor: userActor(user), origin, nowMs },
      target: { kind: 'session', id: session.id },
      after: { method, userAgent: session.userAgent },
    });
    return { user, session, setCookie: cookie.give(value, SESSION_MAX_MS) };
  }

  /** Removes sessions; every gateway forgets them, this one when the transaction has committed. */
  async function removeIn(
    tx: Transaction,
    userId: string,
    which: { ids: readonly string[] } | { allBut: string | undefined },
    origin: RequestOrigin,
  ): Promise<StoredSession[]> {
    const removed = await sessions.remove(tx, userId, which);
    for (const { id } of removed) {
      await journal.announceSession(tx, id, origin, clock.now());
      database.afterCommit(tx, () => deps.onChanged(id));
    }
    return removed;
  }

  async function end(
    user: StoredUser,
    which: { ids: readonly string[] } | { allBut: string },
    origin: RequestOrigin,
    action: 'session.ended' | 'session.signed-out' = 'session.ended',
  ): Promise<void> {
    await database.withTransaction(async (tx) => {
      for (const { id } of await removeIn(tx, user.id, which, origin)) {
        const { workspaceId } = user;
        const by = { workspaceId, actor: userActor(user), origin, nowMs: clock.now() };
        await journal.record(tx, { action, ...by, target: { kind: 'session', id } });
      }
    });
  }

  return {
    openIn,
    end,
    async openSession({ id }, method, origin, replaced) {
      if (replaced !== undefined) await endByValue(replaced, origin);
      const opened = await database.withTransaction(async (tx) => {
        const user = await users.get(id, tx);
        if (user === undefined) throw new AppError('UNAUTHENTICATED', 'The account is not active');
        return await openIn(tx, user, method, origin);
      });
      await users.noteSignIn(id, opened.session.createdAt);
      return opened;
    },
    async endIn(tx, userId, origin, allBut) {
      await removeIn(tx, userId, { allBut }, origin);
    },
    endByValue,
    list: async (userId) => (await sessions.ofUser(userId)).filter((each) => isSessionLive(each, clock.now())),
  };

  async function endByValue(value: string, origin: RequestOrigin): Promise<void> {
    const session = await sessions.findByHash(tokens.hashOf('session', value));
    if (session === undefined) return;
    const user = await users.get(session.userId);
    if (user === undefined) return;
    await end(user, { ids: [session.id] }, origin, 'session.signed-out');
  }
}
