import { ERROR_STATUS, type ErrorCode } from '@clew/kernel';
import { isStreamed, type RouteSpec } from './route.ts';

/** Errors of all routes of a kind, by the name of the kind. */
export const ERROR_GROUPS = {
  any: ['BAD_REQUEST', 'INTERNAL_ERROR', 'OVERLOADED', 'UPSTREAM_UNAVAILABLE'],
  identified: ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'],
  sameOrigin: ['CROSS_ORIGIN'],
  forwarded: ['UPSTREAM_TIMEOUT'],
  projectByHeader: ['PROJECT_REQUIRED', 'NOT_FOUND'],
  named: ['NOT_FOUND'],
  withBody: [
    'MALFORMED_BODY',
    'REQUEST_TIMEOUT',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'UNSUPPORTED_ENCODING',
  ],
  idempotent: ['INVALID_IDEMPOTENCY_KEY', 'IDEMPOTENCY_KEY_IN_FLIGHT', 'IDEMPOTENCY_KEY_REUSED'],
  namedByKey: ['INVALID_IDEMPOTENCY_KEY'],
  conditional: ['PRECONDITION_FAILED'],
} as const satisfies Record<string, readonly ErrorCode[]>;
export type ErrorGroup = keyof typeof ERROR_GROUPS;

/** Returns the kinds that a route is of, as far as its errors depend on them. */
export function errorGroupsOf(spec: RouteSpec): ErrorGroup[] {
  const isForwarded = spec.service !== 'gateway';
  const namesAThing = spec.path.includes('/:');
  const isOf: Record<ErrorGroup, boolean> = {
    any: true,
    identified: spec.access.kind !== 'public',
    sameOrigin: needsSameOrigin(spec),
    forwarded: isForwarded,
    projectByHeader: isForwarded && !namesAThing,
    named: namesAThing,
    withBody: takesBody(spec),
    idempotent: spec.idempotent === true,
    namedByKey: spec.namedByKey === true,
    conditional: honoursIfMatch(spec),
  };
  return (Object.keys(isOf) as ErrorGroup[]).filter((group) => isOf[group]);
}

/**
 * Returns the errors that a route can answer: those of any route of its kind, and those that it declares. Two errors
 * can occur before a request reaches a route, and are left out: METHOD_NOT_ALLOWED and HEADERS_TOO_LARGE.
 */
export function errorsOf(spec: RouteSpec): readonly ErrorCode[] {
  return [...errorGroupsOf(spec).flatMap((group) => ERROR_GROUPS[group]), ...(spec.errors ?? [])];
}

/** Returns the statuses of the answers that a route can give, errors included. */
export function statusesOf(spec: RouteSpec): ReadonlySet<number> {
  return new Set([...Object.keys(spec.responses).map(Number), ...errorsOf(spec).map((code) => ERROR_STATUS[code])]);
}

/** Tells whether a route passes on the answer of another server, with any status. */
export function passesOnAnswers({ responses }: RouteSpec): boolean {
  return Object.values(responses).some((response) => isStreamed(response) && '*/*' in response.content);
}

export function takesBody({ body, ownBody }: RouteSpec): boolean {
  return body !== undefined || ownBody !== undefined;
}

/** Tells whether no session counts for a route, since it gives no right to people. */
export function isForKeysAlone({ access }: Pick<RouteSpec, 'access'>): boolean {
  return access.kind === 'caller' && access.permissions.length === 0 && access.anyPerson !== true;
}

/** Tells whether a browser's request is refused if a page of another origin made it. */
function needsSameOrigin({ access, sameOrigin, method }: RouteSpec): boolean {
  if (sameOrigin === true) return true;
  const isForPeople = access.kind === 'caller' && (access.anyPerson === true || access.permissions.length > 0);
  return isForPeople && method !== 'get';
}

/** Tells whether a route honors `If-Match`, which needs a change; other conditional routes only return an `ETag`. */
export function honoursIfMatch({ conditional, changesNamed, method }: RouteSpec): boolean {
  return conditional === true && (changesNamed === true || ['put', 'patch', 'delete'].includes(method));
}
