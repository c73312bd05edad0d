import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';

const ABSOLUTE_FORM = /^https?:\/\/[^/?]*/i;
/** A request target is ASCII without spaces (RFC 9112, 3.2); other bytes would be read differently by each hop. */
const NOT_IN_TARGET = /[^\x21-\x7e]/;

/** The path of a request without its query; the absolute form of a target, as proxies get it, becomes the usual one. */
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

/** A name or an address, and a port; it may be empty (RFC 9112, 3.2). */
const HOST = /^(?:\[[\da-f:.]*\]|[\w.~!$&'()*+;=%-]*)(?::\d{0,5})?$/i;

/** Node would answer the first by itself, without a body, and not mind the second. */
export function requireOneHost(request: IncomingMessage): void {
  const { host } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') {
    throw new AppError('BAD_REQUEST', 'The header "Host" is required');
  }
  // Two of them have been joined.
  if (host?.includes(',') === true) throw new AppError('BAD_REQUEST', 'The header "Host" must name one host');
  if (host !== undefined && !HOST.test(host)) throw new AppError('BAD_REQUEST', 'The header "Host" names no host');
}
