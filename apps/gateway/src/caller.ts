import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';
import type { Caller, RequestContext } from '@clew/http';
import type { Principal, Scope } from '@clew/contracts';
import type { StoredApiKey } from './api-keys/api-key.ts';
import { createRequestSlot } from './request-slot.ts';

/** Caller as the gateway knows it, with all projects that its credential opens. */
export interface GatewayCaller extends Caller {
  principal: Exclude<Principal, { kind: 'service' }>;
  workspaceId: string;
  projectIds: 'all' | readonly string[];
}

/** Caller that a key stands for; `projectId` is a project whose access is already checked, or undefined. */
export function callerFor(key: StoredApiKey, projectId: string | undefined): GatewayCaller {
  return {
    principal: { kind: 'key', id: key.id, scopes: key.scopes },
    workspaceId: key.workspaceId,
    projectIds: key.projectIds,
    ...(projectId === undefined ? {} : { projectId }),
  };
}

const callers = createRequestSlot<GatewayCaller>('caller');

/** Stores the caller of a request, from the server that authenticates it to the route that answers it. */
export function rememberCaller(request: IncomingMessage, caller: GatewayCaller): void {
  callers.set(request, caller);
}

export function rememberedCaller(request: IncomingMessage): GatewayCaller | undefined {
  return callers.get(request);
}

/** Returns the caller of a request to one of the gateway's own routes. */
export function callerOf(context: RequestContext): GatewayCaller {
  const caller = callers.get(context.request);
  if (caller === undefined) throw new AppError('UNAUTHENTICATED', 'Authentication is required');
  return caller;
}

/** Whether a caller may see data that concerns the whole deployment. */
export function mayAdminister({ principal }: GatewayCaller): boolean {
  return principal.kind === 'key'
    ? principal.scopes.includes('workspace:admin')
    : principal.permissions.includes('workspace:admin');
}

export function scopesOf(caller: GatewayCaller): readonly Scope[] {
  return caller.principal.kind === 'key' ? caller.principal.scopes : [];
}
