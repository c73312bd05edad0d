import type { RequestContext } from '@clew/http';

/** Origin of a change, for the audit. */
export interface RequestOrigin {
  ip: string | null;
  requestId: string;
}

export function originOf(context: RequestContext): RequestOrigin {
  return { ip: context.request.socket.remoteAddress ?? null, requestId: context.requestId };
}
