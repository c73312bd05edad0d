import { newId } from '@clew/kernel';
import type { Session, SignInMethod } from '@clew/contracts';

/** Session as stored: a hash of its value, never the value. */
export interface StoredSession {
  /** HMAC of the value in the cookie. */
  hash: string;
  id: string;
  userId: string;
  method: SignInMethod;
  createdAt: number;
  /** Written at most once a minute. */
  lastSeenAt: number;
  /** End of the session if it is not used any more; moves on with its use. */
  idleUntil: number;
  /** End of the session however much it is used. */
  until: number;
  ip: string | null;
  userAgent: string | null;
}

/** Whence somebody signs in. */
export interface SessionOrigin {
  address: string | null;
  userAgent: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
export const SESSION_IDLE_MS = 7 * DAY_MS;
export const SESSION_MAX_MS = 30 * DAY_MS;
/** Minimum interval between two writes of a session's last use. */
export const TOUCH_SESSION_EVERY_MS = 60_000;
const MAX_USER_AGENT_LENGTH = 256;

export function newSession(
  userId: string,
  method: SignInMethod,
  origin: SessionOrigin,
  { hash, nowMs }: { hash: string; nowMs: number },
): StoredSession {
  const until = nowMs + SESSION_MAX_MS;
  return {
    ...{ hash, id: newId('ses'), userId, method, createdAt: nowMs, lastSeenAt: nowMs, until },
    idleUntil: nowMs + SESSION_IDLE_MS,
    ip: origin.address,
    userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
  };
}

export function endOf({ idleUntil, until }: Pick<StoredSession, 'idleUntil' | 'until'>): number {
  return Math.min(idleUntil, until);
}

export function isSessionLive(session: Pick<StoredSession, 'idleUntil' | 'until'>, nowMs: number): boolean {
  return endOf(session) > nowMs;
}

export function sessionView(session: StoredSession, currentId: string | undefined): Session {
  const { id, method, createdAt, lastSeenAt, ip, userAgent } = session;
  return { id, current: id === currentId, method, createdAt, lastSeenAt, endsAt: endOf(session), ip, userAgent };
}
