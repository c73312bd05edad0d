import type { IncomingMessage } from 'node:http';
import { AppError } from '@clew/kernel';
import type { Caller, RequestContext } from '@clew/http';
import { PERMISSIONS, type Permission, type Principal, type Scope } from '@clew/contracts';
import { scopesIn } from './api-keys/scopes-of-person.ts';
import { isSignedIn, type Credential, type SignedIn } from './auth/credential.ts';
import { permissionsIn, type StoredUser } from './people/user.ts';
import { createRequestSlot } from './request-slot.ts';

/** Caller as the gateway knows it, with all projects that its credential opens. */
export interface GatewayCaller extends Caller {
  principal: Exclude<Principal, { kind: 'service' }>;
  workspaceId: string;
  projectIds: 'all' | readonly string[];
  /** Person and session of a caller who is signed in. */
  signedIn?: SignedIn;
}

/** Caller that a credential stands for; `projectId` is a project whose access is already checked, or undefined. */
export function callerFor(credential: Credential, projectId: string | undefined): GatewayCaller {
  const { id, workspaceId, projectIds } = credential;
  const ofProject = projectId === undefined ? {} : { projectId };
  if (!isSignedIn(credential)) {
    return { principal: { kind: 'key', id, scopes: credential.scopes }, workspaceId, projectIds, ...ofProject };
  }
  const permissions =
    projectId === undefined ? permissionsAnywhere(credential.user) : (permissionsIn(credential.user, projectId) ?? []);
  return { principal: { kind: 'user', id, permissions }, workspaceId, projectIds, signedIn: credential, ...ofProject };
}

/**
 * Permissions that a person has in one project or another, for routes that name none: those concern the person's own
 * projects, and check each of them.
 */
export function permissionsAnywhere(user: StoredUser): readonly Permission[] {
  if (user.owner) return PERMISSIONS;
  const held = new Set(user.memberships.flatMap(({ projectId }) => permissionsIn(user, projectId) ?? []));
  return PERMISSIONS.filter((permission) => held.has(permission));
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

/** Returns the person and the session of a request to a route that is for signed-in people only. */
export function signedInOf(context: RequestContext): SignedIn {
  const { signedIn } = callerOf(context);
  if (signedIn === undefined) throw new AppError('FORBIDDEN', 'Only a signed-in person can do this');
  return signedIn;
}

/** Whether a caller may see data that concerns the whole deployment. */
export function mayAdminister({ principal }: GatewayCaller): boolean {
  return principal.kind === 'key'
    ? principal.scopes.includes('workspace:admin')
    : principal.permissions.includes('workspace:admin');
}

/** Scopes that a caller may give to a key for these projects, or has in each of them. */
export function scopesOf(caller: GatewayCaller, projectIds: 'all' | readonly string[]): readonly Scope[] {
  if (caller.principal.kind === 'key') return caller.principal.scopes;
  return caller.signedIn === undefined ? [] : scopesIn(caller.signedIn.user, projectIds);
}
