import type { RequestContext } from '@clew/http';
import { signInOriginOf } from '../request-origin.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import type { Browser } from '../sign-in/sign-in.service.ts';

/** Reads which browser opens a link, for the session that it gets. */
export type ReadBrowser = (context: RequestContext) => Browser;

export function createReadBrowser(cookie: SessionCookie): ReadBrowser {
  return (context) => ({ origin: signInOriginOf(context), replaced: cookie.read(context.request) });
}
