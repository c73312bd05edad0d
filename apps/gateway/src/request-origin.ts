import type { RequestContext } from '@clew/http';

/** Origin of a change, for the audit. */
export interface RequestOrigin {
  address: string | null;
  requestId: string;
}

export function originOf(context: RequestContext): RequestOrigin {
  return { address: context.request.socket.remoteAddress ?? null, requestId: context.requestId };
}
