import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Address of the caller, behind as many proxies as the operator says that there are: each adds the address that it saw
 * to the end of `X-Forwarded-For`, and what stands further to the left a caller can have made up. With fewer entries
 * than proxies, or one that is no address, it is the address of the connection.
 */
export function callerAddress({ headers, socket }: IncomingMessage, proxies: number): string | null {
  const ofConnection = socket.remoteAddress ?? null;
  const forwarded = headers['x-forwarded-for'];
  if (proxies === 0 || typeof forwarded !== 'string') return ofConnection;
  const named = forwarded.split(',').at(-proxies)?.trim() ?? '';
  return isIP(named) === 0 ? ofConnection : named;
}
