import { AppError, notFound } from '@clew/kernel';
import type { AccessRule, Principal } from '@clew/contracts';
import type { Caller } from './caller.ts';

/**
 * Enforces a route's access rule: 401 without identity, 403 that names the rights of which one is missing, and for
 * another project the same 404 as for a missing thing.
 */
export function authorize(access: AccessRule, caller: Caller | undefined, projectId: string | undefined): void {
  if (access.kind === 'public') return;
  if (caller === undefined) throw new AppError('UNAUTHENTICATED', 'Authentication is required');
  const { principal } = caller;
  if (access.kind === 'internal') {
    // For external callers, internal routes do not exist.
    if (principal.kind !== 'service' || !access.services.includes(principal.id)) throw notFound();
    return;
  }
  if (principal.kind === 'service') throw notFound();
  if (projectId !== undefined && caller.projectId !== projectId) throw notFound();
  if (mayCall(access, principal)) return;
  throw principal.kind === 'key' ? missing('scope', access.scopes) : missing('permission', access.permissions);
}

/** Tells whether a caller has one of the rights that a route asks for, in the project for which it was checked. */
export function mayCall(access: AccessRule, principal: Principal): boolean {
  if (access.kind === 'public') return true;
  if (access.kind === 'internal') return principal.kind === 'service' && access.services.includes(principal.id);
  if (principal.kind === 'service') return false;
  if (principal.kind === 'key') return access.scopes.some((scope) => principal.scopes.includes(scope));
  return access.anyPerson === true || access.permissions.some((right) => principal.permissions.includes(right));
}

function missing(kind: 'scope' | 'permission', oneOf: readonly string[]): AppError {
  const names = oneOf.join(' or ');
  return new AppError('FORBIDDEN', names === '' ? 'Not allowed' : `The ${kind} ${names} is required`, {
    ...(names === '' ? {} : { details: oneOf.map((name) => ({ path: kind, message: name })) }),
    headers: kind === 'scope' ? { 'www-authenticate': `Bearer error="insufficient_scope", scope="${oneOf[0]}"` } : {},
  });
}
