import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { IDENTITY_HEADER, SERVICE_REQUEST_ID_HEADER } from '@clew/http';

/** Names the project for routes that carry none in their path. */
export const PROJECT_HEADER = 'x-clew-project';

/**
 * What never goes upstream as the caller sent it: credentials, hop-by-hop headers, and whatever a service would trust
 * only from the gateway.
 */
const STRIPPED = [
  'authorization',
  'proxy-authorization',
  'proxy-connection',
  'cookie',
  'te',
  'trailer',
  'keep-alive',
  'upgrade',
  'connection',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  IDENTITY_HEADER,
  PROJECT_HEADER,
  SERVICE_REQUEST_ID_HEADER,
] as const;

/** Framing and addressing: a caller cannot name these in `Connection` to have them dropped. */
const NEVER_NAMED = new Set(['host', 'content-length', 'transfer-encoding', 'content-type', 'content-encoding']);

/** Rewrites the headers of a request, in place, to what a service may see. */
export function prepareUpstreamHeaders(request: IncomingMessage, requestId: string, identity: string): void {
  const { headers } = request;
  if (headers.connection !== undefined) dropNamedByConnection(headers, headers.connection);
  for (const name of STRIPPED) if (headers[name] !== undefined) delete headers[name];
  // Some servers read `x_clew_identity` and `x-clew-identity` as one.
  for (const name in headers) if (name.includes('_')) delete headers[name];
  headers[IDENTITY_HEADER] = identity;
  headers[SERVICE_REQUEST_ID_HEADER] = requestId;
  headers['x-forwarded-for'] = request.socket.remoteAddress ?? '';
}

function dropNamedByConnection(headers: IncomingHttpHeaders, connection: string): void {
  for (const token of connection.toLowerCase().split(',')) {
    const name = token.trim();
    if (!NEVER_NAMED.has(name)) delete headers[name];
  }
}
