import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a method changes nothing, so that it does not matter which page asks. */
export function isSafeMethod(method: string | undefined): boolean {
  return SAFE_METHODS.has(method ?? '');
}

/**
 * Tells whether a browser made a request for a page of this deployment: it says so itself (`Sec-Fetch-Site`), or names
 * the page's origin. `Host` is not asked, since proxies rewrite it; a request with neither header is refused, since
 * only browsers have our cookie, and they send one of them.
 */
export function isSameOrigin({ headers }: Pick<IncomingMessage, 'headers'>, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === publicOrigin : site === 'same-origin';
}

/** Throws CROSS_ORIGIN unless a request changes nothing or comes from a page of this deployment. */
export function requireSameOrigin(request: Pick<IncomingMessage, 'headers' | 'method'>, publicOrigin: string): void {
  if (isSafeMethod(request.method) || isSameOrigin(request, publicOrigin)) return;
  throw new AppError('CROSS_ORIGIN', 'Only pages of this deployment may ask for this with the cookie of a session');
}
