import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { IDENTITY_HEADER, SERVICE_REQUEST_ID_HEADER, TRACE_HEADER } from '@clew/http';

/** Header that names the project for routes without one in their path. */
export const PROJECT_HEADER = 'x-clew-project';

/** Headers that belong to one connection (RFC 9110, 7.6.1), and those that old software treats so. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade'] as const;

/** Headers that never go upstream as the caller sent them, in addition to those of the connection. */
const STRIPPED = new Set<string>([
  ...HOP_BY_HOP,
  // Credentials.
  'authorization',
  'proxy-authorization',
  'cookie',
  // Handled by the gateway itself.
  'expect',
  // Headers that a service trusts, since only the gateway sets them.
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  IDENTITY_HEADER,
  PROJECT_HEADER,
  SERVICE_REQUEST_ID_HEADER,
  TRACE_HEADER,
]);

/** Framing and addressing headers: a caller cannot name these in `Connection` to have them dropped. */
const NEVER_NAMED = new Set(['host', 'content-length', 'transfer-encoding', 'content-type', 'content-encoding']);

/** Facts about a request that only the gateway can state. */
interface UpstreamFacts {
  requestId: string;
  /** Identity of the caller; undefined for a route without a key. */
  identity: string | undefined;
  /** Trace context of the request, if it is traced. */
  traceparent: string | undefined;
}

/** Replaces the headers of a request with those that a service may see. */
export function prepareUpstreamHeaders(
  request: IncomingMessage,
  { requestId, identity, traceparent }: UpstreamFacts,
): void {
  const given = request.headers;
  const named = given.connection === undefined ? undefined : namesIn(given.connection);
  const headers: IncomingHttpHeaders = {};
  for (const name in given) {
    // Underscores are refused: some servers read `x_clew_identity` as the same header as `x-clew-identity`.
    if (STRIPPED.has(name) || name.includes('_') || named?.has(name) === true) continue;
    headers[name] = given[name];
  }
  if (identity !== undefined) headers[IDENTITY_HEADER] = identity;
  headers[SERVICE_REQUEST_ID_HEADER] = requestId;
  if (traceparent !== undefined) headers[TRACE_HEADER] = traceparent;
  headers['x-forwarded-for'] = request.socket.remoteAddress ?? '';
  request.headers = headers;
}

const OWN_TRAILER = /^x-clew-[a-z-]+$/;

/** Trailers announced in a service's answer that callers may see: counts that are known only at its end. */
export function ownTrailers(announced: string | undefined): string[] {
  return announced === undefined ? [] : [...namesIn(announced)].filter((name) => OWN_TRAILER.test(name));
}

/** Removes from a service's answer the headers of its connection, and those that only the gateway may set. */
export function prepareResponseHeaders(upstreamResponse: IncomingMessage, response: ServerResponse): void {
  const { headers } = upstreamResponse;
  if (headers.connection !== undefined) {
    for (const name of namesIn(headers.connection)) headers[name] = undefined;
  }
  for (const name of HOP_BY_HOP) if (headers[name] !== undefined) headers[name] = undefined;
  headers[SERVICE_REQUEST_ID_HEADER] = undefined;
  headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
}

/** Values of `Connection` in nearly every message: they name no header. */
const PLAIN_CONNECTION = new Set(['keep-alive', 'close']);
const NO_NAMES: ReadonlySet<string> = new Set();

function namesIn(connection: string): ReadonlySet<string> {
  if (PLAIN_CONNECTION.has(connection)) return NO_NAMES;
  const names = connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return new Set(names.filter((name) => !NEVER_NAMED.has(name)));
}
