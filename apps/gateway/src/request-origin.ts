import type { IncomingMessage } from 'node:http';
import type { RequestContext } from '@clew/http';
import { createRequestSlot } from './request-slot.ts';

/** Origin of a change, for the audit. */
export interface RequestOrigin {
  address: string | null;
  requestId: string;
}

/** Origin of a sign-in, which the session keeps so that a person can tell their sessions apart. */
export interface SignInOrigin extends RequestOrigin {
  userAgent: string | null;
}

const addresses = createRequestSlot<string | null>('address');

export function rememberAddress(request: IncomingMessage, address: string | null): void {
  addresses.set(request, address);
}

/** Address of the caller, as the server that took the request found it. */
export function addressOf(request: IncomingMessage): string | null {
  return addresses.get(request) ?? request.socket.remoteAddress ?? null;
}

export function originOf(context: RequestContext): RequestOrigin {
  return { address: addressOf(context.request), requestId: context.requestId };
}

export function signInOriginOf(context: RequestContext): SignInOrigin {
  return { ...originOf(context), userAgent: context.request.headers['user-agent'] ?? null };
}
