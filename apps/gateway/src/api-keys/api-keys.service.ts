import type { KeyObject } from 'node:crypto';
import { AppError, notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import { type ApiKey, type NewApiKey } from '@clew/contracts';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import { scopesOf, type GatewayCaller } from '../caller.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { RequestOrigin } from '../request-origin.ts';
import {
  apiKeyView,
  coversProjects,
  expiryAfterRotation,
  isLive,
  newApiKey,
  successorOf,
  type KeyMaker,
  type StoredApiKey,
} from './api-key.ts';
import { API_KEYS, type ApiKeyStore } from './api-keys.store.ts';
import { createKeyJournal } from './key-journal.ts';
import { hashKey, newKeySecret, startOfKey } from './key-format.ts';

export interface ApiKeysDependencies {
  database: Database;
  apiKeys: ApiKeyStore;
  projects: ProjectStore;
  audit: AuditLog;
  outbox: Outbox;
  cursors: CursorCodec;
  clock: Clock;
  pepper: KeyObject;
  environment: string;
  /** Called once a change has committed, so that this replica forgets the key before the broadcast comes. */
  onKeyChanged: (keyId: string) => void;
}

interface KeyWithSecret {
  apiKey: ApiKey;
  secret: string;
}

export type ApiKeysService = ReturnType<typeof createApiKeysService>;

export function createApiKeysService(deps: ApiKeysDependencies) {
  const { database, apiKeys, cursors, clock } = deps;
  const journal = createKeyJournal(deps);

  return {
    async create(
      caller: GatewayCaller,
      projectId: string,
      body: NewApiKey,
      origin: RequestOrigin,
    ): Promise<KeyWithSecret> {
      const projectIds = body.projectIds ?? [projectId];
      if (projectIds !== 'all') await requireProjects(caller, projectIds);
      const secret = newSecret(deps);
      const request = { name: body.name, scopes: body.scopes, projectIds, expiresAt: body.expiresAt ?? null };
      const key = newApiKey(makerOf(caller), request, secret.stored, clock.now());
      await database.withTransaction(async (tx) => {
        await apiKeys.insert(tx, key);
        await journal.record(tx, 'api-key.created', key, { caller, origin }, { scopes: key.scopes, projectIds });
      });
      return { apiKey: apiKeyView(key), secret: secret.plain };
    },

    async list({ workspaceId }: GatewayCaller, projectId: string, query: PageQuery) {
      const { items, nextCursor } = await page(cursors, API_KEYS, { projectId, ...query }, (slice) =>
        apiKeys.list({ projectId, workspaceId }, slice),
      );
      return { apiKeys: items.map(apiKeyView), nextCursor };
    },

    /** A key is rotated once: who lost the successor's secret rotates the successor. */
    async rotate(
      caller: GatewayCaller,
      target: { projectId: string; keyId: string },
      graceMs: number,
      origin: RequestOrigin,
    ): Promise<KeyWithSecret> {
      const secret = newSecret(deps);
      const successor = await database.withTransaction(async (tx) => {
        const key = await findManageable(tx, caller, target);
        const now = clock.now();
        if (!isLive(key, now)) throw notFound();
        if (key.rotatedTo !== null) throw new AppError('CONFLICT', 'The key has been rotated already');
        const next = successorOf(key, secret.stored, caller.principal.id, now);
        await apiKeys.insert(tx, next);
        await apiKeys.setSuccessor(tx, key, { id: next.id, expiresAt: expiryAfterRotation(key, graceMs, now) });
        await journal.announce(tx, key, origin, now);
        await journal.record(tx, 'api-key.rotated', key, { caller, origin }, { successor: next.id, graceMs });
        return next;
      });
      deps.onKeyChanged(target.keyId);
      return { apiKey: apiKeyView(successor), secret: secret.plain };
    },

    /** Revoking a key that is gone already is no error. */
    async revoke(
      caller: GatewayCaller,
      target: { projectId: string; keyId: string },
      origin: RequestOrigin,
    ): Promise<void> {
      await database.withTransaction(async (tx) => {
        const key = await apiKeys.findForProject(tx, projectScope(caller, target), target.keyId);
        if (key === undefined) return;
        requireManageable(caller, key);
        const now = clock.now();
        await apiKeys.revoke(tx, key, now);
        await journal.announce(tx, key, origin, now);
        await journal.record(tx, 'api-key.revoked', key, { caller, origin }, null);
      });
      deps.onKeyChanged(target.keyId);
    },
  };

  async function requireProjects(caller: GatewayCaller, projectIds: readonly string[]): Promise<void> {
    const found = await Promise.all(projectIds.map((id) => deps.projects.get(caller.workspaceId, id)));
    if (found.includes(undefined)) throw notFound();
  }

  async function findManageable(tx: Transaction, caller: GatewayCaller, target: { projectId: string; keyId: string }) {
    const key = await apiKeys.findForProject(tx, projectScope(caller, target), target.keyId);
    if (key === undefined) throw notFound();
    requireManageable(caller, key);
    return key;
  }
}

function newSecret({ environment, pepper }: Pick<ApiKeysDependencies, 'environment' | 'pepper'>) {
  const plain = newKeySecret(environment);
  return { plain, stored: { hash: hashKey(pepper, plain), start: startOfKey(plain) } };
}

function makerOf(caller: GatewayCaller): KeyMaker {
  const { principal, workspaceId, projectIds } = caller;
  return { id: principal.id, workspaceId, scopes: scopesOf(caller), projectIds };
}

function projectScope(caller: GatewayCaller, { projectId }: { projectId: string }) {
  return { projectId, workspaceId: caller.workspaceId };
}

/**
 * A key that opens more than its manager does is not the manager's to rotate (the successor's secret would be theirs)
 * or to revoke.
 */
function requireManageable(caller: GatewayCaller, key: StoredApiKey): void {
  const scopes = scopesOf(caller);
  const coversScopes = key.scopes.every((scope) => scopes.includes(scope));
  if (!coversScopes || !coversProjects(caller.projectIds, key.projectIds)) {
    throw new AppError('FORBIDDEN', 'The key has rights that yours lacks');
  }
}
