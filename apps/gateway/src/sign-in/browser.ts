import type { Request } from 'express';
import { addressOf, type SignInOrigin } from '../request-origin.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Browser } from './sign-in.service.ts';

/** Origin of what a page does, for the session and the audit. */
export function originOfPage(request: Request): SignInOrigin {
  const requestId = request.res?.locals.requestId as string;
  return { address: addressOf(request), requestId, userAgent: request.headers['user-agent'] ?? null };
}

export function browserOf(request: Request, cookie: SessionCookie): Browser {
  return { origin: originOfPage(request), replaced: cookie.read(request) };
}
