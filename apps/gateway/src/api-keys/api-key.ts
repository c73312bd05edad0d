import { AppError, newId } from '@clew/kernel';
import type { ApiKey, Scope } from '@clew/contracts';

/** API key as stored: its hash, never the secret. */
export interface StoredApiKey {
  id: string;
  workspaceId: string;
  hash: string;
  start: string;
  name: string;
  scopes: Scope[];
  projectIds: 'all' | string[];
  /** Unix epoch milliseconds. */
  expiresAt: number | null;
  lastUsedAt: number | null;
  rotatedFrom: string | null;
  /** Successor's id; a key is rotated only once. */
  rotatedTo: string | null;
  /** Maker of the key: another key, a person or `bootstrap`. */
  createdBy: string;
  /** Person whose key it is: its maker, or the person whose key made it. It counts as long as they may what it may. */
  userId: string | null;
  createdAt: number;
  revokedAt: number | null;
  /**
   * Number of keys this key has made. Creating a key writes this count in its maker, so that creating a key and
   * revoking its maker at the same time conflict, and one waits for the other.
   */
  keysMade: number;
}

/** Rights that a maker may hand on: a new key never gets more rights than its maker, nor a later expiry. */
export interface KeyMaker {
  id: string;
  workspaceId: string;
  scopes: readonly Scope[];
  projectIds: 'all' | readonly string[];
  /** Null means no expiry. */
  expiresAt: number | null;
  /** Person behind the maker, if there is one. */
  userId: string | null;
}

export interface KeyRequest {
  name: string;
  scopes: Scope[];
  projectIds: 'all' | string[];
  expiresAt: number | null;
}

export function isLive(key: Pick<StoredApiKey, 'revokedAt' | 'expiresAt'>, nowMs: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > nowMs);
}

/** Single error for every credential that is not valid, or no longer valid. */
export function unknownKey(): AppError {
  return new AppError('UNAUTHENTICATED', 'The API key is unknown, expired or revoked');
}

/** Project that a deed on a key concerns; null if the key opens several. */
export function projectOf({ projectIds }: Pick<StoredApiKey, 'projectIds'>): string | null {
  return projectIds === 'all' || projectIds.length > 1 ? null : (projectIds[0] ?? null);
}

export function opensProject({ projectIds }: { projectIds: 'all' | readonly string[] }, projectId: string): boolean {
  return projectIds === 'all' || projectIds.includes(projectId);
}

/**
 * Builds a new key of `maker`. Refuses scopes and projects that the maker does not have, an expiry in the past, and one
 * later than the maker's. Without an expiry of its own, the key expires with its maker.
 */
export function newApiKey(
  maker: KeyMaker,
  request: KeyRequest,
  secret: { hash: string; start: string },
  nowMs: number,
): StoredApiKey {
  const excess = request.scopes.filter((scope) => !maker.scopes.includes(scope));
  if (excess.length > 0) throw new AppError('FORBIDDEN', `The scope ${excess.join(', ')} is not yours to give`);
  if (!coversProjects(maker.projectIds, request.projectIds))
    throw new AppError('FORBIDDEN', 'A project is not yours to give');
  if (request.expiresAt !== null && request.expiresAt <= nowMs) throw invalidExpiry('must be in the future');
  const expiresAt = earlier(request.expiresAt, maker.expiresAt);
  if (request.expiresAt !== null && expiresAt !== request.expiresAt) {
    throw invalidExpiry(`must not be later than that of the key that makes it (${expiresAt})`);
  }
  return {
    id: newId('key'),
    workspaceId: maker.workspaceId,
    ...secret,
    ...request,
    expiresAt,
    lastUsedAt: null,
    rotatedFrom: null,
    rotatedTo: null,
    createdBy: maker.id,
    userId: maker.userId,
    createdAt: nowMs,
    revokedAt: null,
    keysMade: 0,
  };
}

function invalidExpiry(message: string): AppError {
  const path = 'body.expiresAt';
  return new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ path, message }] });
}

/** Earlier of two expiries; null means never. */
function earlier(left: number | null, right: number | null): number | null {
  return left === null || right === null ? (left ?? right) : Math.min(left, right);
}

/** Whether the projects that one credential opens include all that another does. */
export function coversProjects(mine: 'all' | readonly string[], theirs: 'all' | readonly string[]): boolean {
  if (mine === 'all') return true;
  if (theirs === 'all') return false;
  return theirs.every((projectId) => mine.includes(projectId));
}

/**
 * Builds the successor of a key: same rights, another secret. It expires when the old key would have, or with its maker
 * if that is earlier.
 */
export function successorOf(
  key: StoredApiKey,
  secret: { hash: string; start: string },
  maker: Pick<KeyMaker, 'id' | 'expiresAt' | 'userId'>,
  nowMs: number,
): StoredApiKey {
  return {
    ...key,
    ...secret,
    id: newId('key'),
    expiresAt: earlier(key.expiresAt, maker.expiresAt),
    lastUsedAt: null,
    rotatedFrom: key.id,
    rotatedTo: null,
    createdBy: maker.id,
    userId: maker.userId,
    createdAt: nowMs,
    revokedAt: null,
    keysMade: 0,
  };
}

/** Expiry of a rotated key: the end of the grace time, or its own expiry if that is earlier. */
export function expiryAfterRotation(key: StoredApiKey, graceMs: number, nowMs: number): number {
  return Math.min(key.expiresAt ?? Number.MAX_SAFE_INTEGER, nowMs + graceMs);
}

/** Shows a key, with the name of its maker if that is one of these people. */
export function apiKeyView(key: StoredApiKey, people: ReadonlyMap<string, string>): ApiKey {
  const { id, name, start, scopes, projectIds, expiresAt, lastUsedAt, rotatedFrom, createdBy, createdAt } = key;
  const made = { createdBy, createdByName: people.get(createdBy) ?? null, createdAt };
  return { id, name, start, scopes, projectIds, expiresAt, lastUsedAt, rotatedFrom, ...made };
}
