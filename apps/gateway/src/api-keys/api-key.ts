import { AppError, newId } from '@clew/kernel';
import type { ApiKey, Scope } from '@clew/contracts';

/** A key as it is kept: its hash, never the secret. */
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
  /** Its successor: a key is rotated once. */
  rotatedTo: string | null;
  createdBy: string;
  createdAt: number;
  revokedAt: number | null;
}

/** What a maker may hand on: a key never gets more than this. */
export interface KeyMaker {
  id: string;
  workspaceId: string;
  scopes: readonly Scope[];
  projectIds: 'all' | readonly string[];
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

export function opensProject(key: Pick<StoredApiKey, 'projectIds'>, projectId: string): boolean {
  return key.projectIds === 'all' || key.projectIds.includes(projectId);
}

/** A new key of `maker`; refuses what the maker does not have itself, and an expiry that has passed. */
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
  if (request.expiresAt !== null && request.expiresAt <= nowMs) {
    throw new AppError('VALIDATION_FAILED', 'body.expiresAt: must be in the future', {
      details: [{ path: 'body.expiresAt', message: 'must be in the future' }],
    });
  }
  return {
    id: newId('key'),
    workspaceId: maker.workspaceId,
    ...secret,
    ...request,
    lastUsedAt: null,
    rotatedFrom: null,
    rotatedTo: null,
    createdBy: maker.id,
    createdAt: nowMs,
    revokedAt: null,
  };
}

/** Whether the projects that one credential opens include all that another does. */
export function coversProjects(mine: 'all' | readonly string[], theirs: 'all' | readonly string[]): boolean {
  if (mine === 'all') return true;
  if (theirs === 'all') return false;
  return theirs.every((projectId) => mine.includes(projectId));
}

/** The successor of a key: the same rights and expiry, another secret. */
export function successorOf(
  key: StoredApiKey,
  secret: { hash: string; start: string },
  createdBy: string,
  nowMs: number,
): StoredApiKey {
  return {
    ...key,
    ...secret,
    id: newId('key'),
    lastUsedAt: null,
    rotatedFrom: key.id,
    rotatedTo: null,
    createdBy,
    createdAt: nowMs,
    revokedAt: null,
  };
}

/** When a rotated key ends: after the grace time, or at its own earlier expiry. */
export function expiryAfterRotation(key: StoredApiKey, graceMs: number, nowMs: number): number {
  return Math.min(key.expiresAt ?? Number.MAX_SAFE_INTEGER, nowMs + graceMs);
}

export function apiKeyView(key: StoredApiKey): ApiKey {
  const { id, name, start, scopes, projectIds, expiresAt, lastUsedAt, rotatedFrom, createdBy, createdAt } = key;
  return { id, name, start, scopes, projectIds, expiresAt, lastUsedAt, rotatedFrom, createdBy, createdAt };
}
