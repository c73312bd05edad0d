import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError, type Clock } from '@clew/kernel';
import type { CacheLookups, Logger } from '@clew/runtime';
import { isLive, unknownKey, type StoredApiKey } from '../api-keys/api-key.ts';
import type { ApiKeyStore } from '../api-keys/api-keys.store.ts';
import { hashKey, isWellFormedKey } from '../api-keys/key-format.ts';
import { isActive } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { isSessionLive, TOUCH_SESSION_EVERY_MS, type StoredSession } from '../sessions/session.ts';
import type { SessionStore } from '../sessions/sessions.store.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { createCredentialCache } from './credential-cache.ts';
import { narrowToPerson, signedInAs, type Credential, type LiveKey, type SignedIn } from './credential.ts';

/** Finds who or what a request's credential stands for; a cached answer is returned without a promise. */
export interface Authenticator {
  /** The header `Authorization` counts, and a cookie beside it does not; `takesCookie` tells whether one may do. */
  authenticate(request: IncomingMessage, takesCookie?: boolean): Credential | Promise<Credential>;
  /** Finds the person whom the cookie signs in, whatever other headers there are; undefined if it does not. */
  signedIn(request: Pick<IncomingMessage, 'headers'>): Promise<SignedIn | undefined>;
  /** Drops what was read of a changed key, session or person. */
  forget(id: string): void;
  /** Drops everything, because changes may have been missed. */
  forgetAll(): void;
  /** Tells a watcher, too, what is to be dropped. */
  watch(watcher: CredentialWatcher): void;
}

/** Part that keeps what follows from a credential, and is to forget it when the credential changes. */
export interface CredentialWatcher {
  /** Something has changed about a key, session or person. */
  forget(id: string): void;
  /** Anything may have changed. */
  forgetAll(): void;
}

export interface AuthenticatorOptions {
  apiKeys: Pick<ApiKeyStore, 'findByHash' | 'touch'>;
  sessions: Pick<SessionStore, 'findByHash' | 'touch'>;
  users: Pick<UserStore, 'get'>;
  cookie: SessionCookie;
  tokens: Tokens;
  pepper: KeyObject;
  /** Cache time; 0 turns the cache off. */
  cacheMs: number;
  clock: Clock;
  logger: Logger;
  lookups: { keys: CacheLookups; sessions: CacheLookups };
}

/** Minimum interval between two writes of a key's last use. */
const TOUCH_KEY_EVERY_MS = 30_000;
const BEARER = /^Bearer ([^\s]+)$/i;

export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { apiKeys, sessions, users, cookie, clock, logger, cacheMs } = options;
  const keys = createCredentialCache<LiveKey>({
    ...{ cacheMs, clock, lookups: options.lookups.keys },
    idsOf: ({ id, userId }) => (userId === null ? [id] : [id, userId]),
    check(secret) {
      if (!isWellFormedKey(secret)) throw unknownKey();
    },
    async load(secret) {
      const key = await apiKeys.findByHash(hashKey(options.pepper, secret));
      if (key === undefined || !isLive(key, clock.now())) throw unknownKey();
      const live = key.userId === null ? key : narrowToPerson(key, await users.get(key.userId));
      noteUseOfKey(key);
      return live;
    },
  });
  const people = createCredentialCache<SignedIn>({
    ...{ cacheMs, clock, lookups: options.lookups.sessions },
    idsOf: ({ user, session }) => [session.id, user.id],
    async load(value) {
      const session = await sessions.findByHash(options.tokens.hashOf('session', value));
      if (session === undefined || !isSessionLive(session, clock.now())) throw unknownSession();
      const user = await users.get(session.userId);
      if (user === undefined || !isActive(user)) throw unknownSession();
      noteUseOfSession(session);
      return signedInAs(user, session);
    },
  });

  const watchers: CredentialWatcher[] = [keys, people];

  function noteUseOfKey(key: StoredApiKey): void {
    const now = clock.now();
    if (key.lastUsedAt !== null && now - key.lastUsedAt < TOUCH_KEY_EVERY_MS) return;
    apiKeys.touch(key, now).catch((error: unknown) => logger.warn({ err: error }, 'could not note the use of a key'));
  }

  function noteUseOfSession(session: StoredSession): void {
    const now = clock.now();
    if (now - session.lastSeenAt < TOUCH_SESSION_EVERY_MS) return;
    sessions.touch(session, now).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not note the use of a session');
    });
  }

  function ofSession(value: string): SignedIn | Promise<SignedIn> {
    const found = people.get(value);
    if (!(found instanceof Promise) && !isSessionLive(found.session, clock.now())) throw unknownSession();
    return found;
  }

  return {
    authenticate(request, takesCookie = false) {
      const secret = bearerToken(request);
      if (secret === undefined) {
        const value = takesCookie ? cookie.read(request) : undefined;
        if (value === undefined) throw noCredential();
        return ofSession(value);
      }
      const found = keys.get(secret);
      if (!(found instanceof Promise) && !isLive(found, clock.now())) throw unknownKey();
      return found;
    },
    async signedIn(request) {
      const value = cookie.read(request);
      if (value === undefined) return undefined;
      try {
        return await ofSession(value);
      } catch (error) {
        if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return undefined;
        throw error;
      }
    },
    forget: (id) => watchers.forEach((watcher) => watcher.forget(id)),
    forgetAll: () => watchers.forEach((watcher) => watcher.forgetAll()),
    watch: (watcher) => void watchers.push(watcher),
  };
}

/** Single error for every session that is not valid, or no longer valid. */
function unknownSession(): AppError {
  return new AppError('UNAUTHENTICATED', 'The session is unknown or has ended');
}

function noCredential(): AppError {
  return new AppError('UNAUTHENTICATED', 'The header "Authorization: Bearer <API key>" is required');
}

function bearerToken(request: IncomingMessage): string | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  const token = BEARER.exec(authorization)?.[1];
  if (token === undefined) throw unknownKey();
  return token;
}
