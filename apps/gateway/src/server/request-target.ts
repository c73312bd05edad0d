import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';

const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;
/**
 * Characters not allowed: a request target is ASCII without spaces (RFC 9112, 3.2); hops would read other bytes
 * differently.
 */
const NOT_IN_TARGET = /[^\x21-\x7e]/;

/**
 * Returns the path of a request without its query; a target in absolute form, as sent to proxies, becomes the usual
 * form.
 */
export function takePath(request: IncomingMessage): string {
  let url = request.url ?? '/';
  if (NOT_IN_TARGET.test(url)) throw new AppError('BAD_REQUEST', 'The path holds characters that must be escaped');
  if (!url.startsWith('/')) {
    url = url.replace(ABSOLUTE_FORM, '');
    if (!url.startsWith('/')) url = `/${url}`;
    request.url = url;
  }
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Name or address, and an optional port; all may be empty (RFC 9112, 3.2). */
const HOST = /^(?:\[[\da-f:.]*\]|[\w.~!$&'()*+;=%-]*)(?::\d{0,5})?$/i;

/** Requires exactly one host. Node would answer a missing one by itself, without a body, and would accept two. */
export function requireOneHost(request: IncomingMessage): void {
  const { host } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') {
    throw new AppError('BAD_REQUEST', 'The header "Host" is required');
  }
  // A comma means that two Host headers have been joined.
  if (host?.includes(',') === true) throw new AppError('BAD_REQUEST', 'The header "Host" must name one host');
  if (host !== undefined && !HOST.test(host)) throw new AppError('BAD_REQUEST', 'The header "Host" names no host');
}
