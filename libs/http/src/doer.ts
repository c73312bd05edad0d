import type { Doer } from '@clew/contracts';
import { AppError } from '@clew/kernel';
import type { RequestContext } from './caller.ts';

/** Returns who does what a request asks for, for the audit; the address is that which the gateway saw. */
export function doerOf({ caller, request, requestId }: Pick<RequestContext, 'caller' | 'request' | 'requestId'>): Doer {
  if (caller === undefined) throw new AppError('UNAUTHENTICATED', 'Authentication is required');
  const { kind, id } = caller.principal;
  const address = request.headers['x-forwarded-for'];
  return {
    actor: { kind: kind === 'service' ? 'system' : kind, id },
    address: typeof address === 'string' && address !== '' ? address.slice(0, 100) : null,
    requestId,
  };
}
