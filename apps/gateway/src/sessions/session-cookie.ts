import { createCookie, type Cookie } from './cookie.ts';

/** Cookie of a session. */
export type SessionCookie = Cookie;

const VALUE = /^[\w-]{43}$/;

export function createSessionCookie(publicUrl: string): SessionCookie {
  return createCookie(publicUrl, { name: 'clew_session', value: VALUE });
}
