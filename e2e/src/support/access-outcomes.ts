import type { RouteSpec } from '@clew/contracts';
import type { AccessRow } from '@clew/testing/access';
import type { Behind } from './access-callers.ts';

/** Project that a request names, as its caller sees it. */
export const WHERE = ['own', 'foreign', 'missing'] as const;
export type Where = (typeof WHERE)[number];

/** Class of an answer: who is refused, and why; anything else was let through. */
export type Outcome = 'unauthenticated' | 'forbidden' | 'cross origin' | 'missing' | 'let through';

/** Query that no route knows: it is refused first of all to those whom a route lets through, and so does no harm. */
export const HARMLESS_QUERY = '?surprise=1';

/** Roles, each with the right of all before it. */
const RANKS: readonly string[] = ['none', 'viewer', 'editor', 'admin', 'owner'];

/** Whether a route is for programs, so that no session counts. */
const isForPrograms = ({ isOpen, person }: AccessRow) => !isOpen && person === null;

/** Outcome that the table of docs/access.md promises. */
export function expectedOutcome(row: AccessRow, behind: Behind, where: Where): Outcome {
  if (row.isOpen) return isCrossOrigin(behind) && isChangingForPeople(row) ? 'cross origin' : 'let through';
  if (behind.kind === 'nobody') return 'unauthenticated';
  if (behind.kind === 'person') {
    if (isForPrograms(row)) return 'unauthenticated';
    if (isCrossOrigin(behind) && row.method !== 'GET') return 'cross origin';
  }
  if (!opens(row, behind, where)) return 'missing';
  return hasRight(row, behind) ? 'let through' : 'forbidden';
}

function isCrossOrigin(behind: Behind): boolean {
  return behind.kind === 'person' && behind.isOfOtherOrigin === true;
}

/** Open routes that devices call, which have no browser. */
const OF_DEVICES = ['startDevice', 'getDeviceToken'];

/** Whether an open route changes something in a browser; another provider's call, or that of a device, does not. */
function isChangingForPeople({ method, path, operationId }: AccessRow): boolean {
  return method !== 'GET' && path.startsWith('/v1/auth/') && !OF_DEVICES.includes(operationId);
}

function opens(row: AccessRow, behind: Behind, where: Where): boolean {
  // The deletion of a project is answered also when the project is gone.
  if (row.operationId === 'deleteProject' || !namesProject(row)) return true;
  if (behind.kind === 'person' && behind.role === 'owner') return where !== 'missing';
  return where === 'own' && !(behind.kind === 'person' && behind.role === 'none');
}

/** Whether a request to the route is for a project: that of its path, or of the header that programs send. */
export function namesProject(row: AccessRow): boolean {
  // A key ends itself, whatever its projects are.
  return row.path.includes('/:projectId') || (isForPrograms(row) && row.operationId !== 'revokeOwnKey');
}

function hasRight({ scopes, person }: AccessRow, behind: Behind): boolean {
  if (behind.kind === 'key') return scopes.some((scope) => behind.scopes.includes(scope));
  if (behind.kind === 'nobody' || person === null) return false;
  return person === 'anybody' || RANKS.indexOf(behind.role) >= RANKS.indexOf(person);
}

/** Reads the class of an answer; throws if it is none of these. */
export function outcomeOf(spec: RouteSpec, status: number, text: string): Outcome | string {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return text.includes('CROSS_ORIGIN') ? 'cross origin' : 'forbidden';
  // Others choose the query of this route, so that it takes any, and then misses what it names.
  if (spec.takesAnyQuery === true) return 'let through';
  if (status === 404) return 'missing';
  return status === 400 && text.includes('surprise') ? 'let through' : `${status} ${text.slice(0, 200)}`;
}
