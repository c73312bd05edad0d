import { ERROR_STATUS, type ErrorCode } from '@clew/kernel';
import { isStreamed, type RouteSpec } from './route.ts';

const ANY: readonly ErrorCode[] = ['BAD_REQUEST', 'INTERNAL_ERROR', 'OVERLOADED', 'UPSTREAM_UNAVAILABLE'];
const WITH_IDENTITY: readonly ErrorCode[] = ['UNAUTHENTICATED', 'FORBIDDEN', 'RATE_LIMITED'];
const BEHIND_THE_GATEWAY: readonly ErrorCode[] = ['UPSTREAM_TIMEOUT'];
const WITH_BODY: readonly ErrorCode[] = [
  'MALFORMED_BODY',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'UNSUPPORTED_ENCODING',
];
const IDEMPOTENT: readonly ErrorCode[] = [
  'INVALID_IDEMPOTENCY_KEY',
  'IDEMPOTENCY_KEY_IN_FLIGHT',
  'IDEMPOTENCY_KEY_REUSED',
];

/**
 * Returns the errors that a route can answer: those of any route of its kind, and those that it declares. Two errors
 * can occur before a request reaches a route, and are left out: METHOD_NOT_ALLOWED and HEADERS_TOO_LARGE.
 */
export function errorsOf(spec: RouteSpec): readonly ErrorCode[] {
  const isForwarded = spec.service !== 'gateway';
  const namesAThing = spec.path.includes('/:');
  return [
    ...ANY,
    ...(spec.access.kind === 'public' ? [] : WITH_IDENTITY),
    ...(needsSameOrigin(spec) ? (['CROSS_ORIGIN'] as const) : []),
    ...(isForwarded ? BEHIND_THE_GATEWAY : []),
    ...(isForwarded && !namesAThing ? (['PROJECT_REQUIRED', 'NOT_FOUND'] as const) : []),
    ...(namesAThing ? (['NOT_FOUND'] as const) : []),
    ...(takesBody(spec) ? WITH_BODY : []),
    ...(spec.idempotent === true ? IDEMPOTENT : []),
    ...(spec.namedByKey === true ? (['INVALID_IDEMPOTENCY_KEY'] as const) : []),
    ...(honoursIfMatch(spec) ? (['PRECONDITION_FAILED'] as const) : []),
    ...(spec.errors ?? []),
  ];
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
