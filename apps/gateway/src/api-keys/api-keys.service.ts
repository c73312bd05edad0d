import type { KeyObject } from 'node:crypto';
import { AppError, notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import { type ApiKey, type NewApiKey } from '@clew/contracts';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import type { UserStore } from '../people/users.store.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { RequestOrigin } from '../request-origin.ts';
import {
  apiKeyView,
  expiryAfterRotation,
  isLive,
  newApiKey,
  successorOf,
  unknownKey,
  type KeyMaker,
  type StoredApiKey,
} from './api-key.ts';
import { API_KEYS, type ApiKeyStore } from './api-keys.store.ts';
import { createKeyJournal } from './key-journal.ts';
import { createKeyRevocations, findManageable } from './key-revocations.ts';
import { makerOfPerson } from './key-maker.ts';
import { hashKey, newKeySecret, startOfKey } from './key-format.ts';

export interface ApiKeysDependencies {
  database: Database;
  apiKeys: ApiKeyStore;
  projects: ProjectStore;
  users: Pick<UserStore, 'get' | 'namesOf'>;
  audit: AuditLog;
  outbox: Outbox;
  cursors: CursorCodec;
  clock: Clock;
  pepper: KeyObject;
  environment: string;
  /** Called when a change has committed, so that this replica forgets the key before the broadcast arrives. */
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
      const key = await database.withTransaction(async (tx) => {
        const now = clock.now();
        const made = newApiKey(await makerOf(tx, caller, { projectIds, now }), request, secret.stored, now);
        await apiKeys.insert(tx, made);
        await journal.record(tx, 'api-key.created', made, { caller, origin }, { scopes: made.scopes, projectIds });
        return made;
      });
      return { apiKey: apiKeyView(key, await makersOf([key])), secret: secret.plain };
    },

    async list({ workspaceId }: GatewayCaller, projectId: string, query: PageQuery) {
      const { items, nextCursor } = await page(cursors, API_KEYS, { projectId, ...query }, (slice) =>
        apiKeys.list({ projectId, workspaceId }, slice),
      );
      const makers = await makersOf(items);
      return { apiKeys: items.map((key) => apiKeyView(key, makers)), nextCursor };
    },

    /** A key is rotated only once: a client that has lost the successor's secret rotates the successor. */
    async rotate(
      caller: GatewayCaller,
      target: { projectId: string; keyId: string },
      graceMs: number,
      origin: RequestOrigin,
    ): Promise<KeyWithSecret> {
      const secret = newSecret(deps);
      const successor = await database.withTransaction(async (tx) => {
        const now = clock.now();
        const maker = await makerOf(tx, caller, { projectIds: [target.projectId], now });
        const key = await findManageable(tx, apiKeys, caller, target);
        if (key === undefined || !isLive(key, now)) throw notFound();
        if (key.rotatedTo !== null) throw new AppError('CONFLICT', 'The key has been rotated already');
        const next = successorOf(key, secret.stored, maker, now);
        await apiKeys.insert(tx, next);
        await apiKeys.setSuccessor(tx, key, { id: next.id, expiresAt: expiryAfterRotation(key, graceMs, now) });
        await journal.announce(tx, key, origin, now);
        await journal.record(tx, 'api-key.rotated', key, { caller, origin }, { successor: next.id, graceMs });
        return next;
      });
      deps.onKeyChanged(target.keyId);
      return { apiKey: apiKeyView(successor, await makersOf([successor])), secret: secret.plain };
    },

    ...createKeyRevocations({ ...deps, journal }),
  };

  /** Names of the people who made some keys. */
  async function makersOf(keys: readonly StoredApiKey[]): Promise<ReadonlyMap<string, string>> {
    const people = keys.filter(({ createdBy, userId }) => createdBy === userId).map(({ createdBy }) => createdBy);
    return await deps.users.namesOf([...new Set(people)]);
  }

  async function requireProjects(caller: GatewayCaller, projectIds: readonly string[]): Promise<void> {
    const found = await Promise.all(projectIds.map((id) => deps.projects.get(caller.workspaceId, id)));
    if (found.includes(undefined)) throw notFound();
  }

  /**
   * Returns the rights in the projects that the caller may hand on at this moment, not those it had when it was
   * authenticated. The caller's key is locked in the transaction, so that it makes no key after its revocation has
   * begun. A person needs no lock: each use of their key looks at them again.
   */
  async function makerOf(
    tx: Transaction,
    { principal }: GatewayCaller,
    { projectIds, now }: { projectIds: 'all' | readonly string[]; now: number },
  ): Promise<KeyMaker> {
    if (principal.kind === 'user') return makerOfPerson(await deps.users.get(principal.id, tx), projectIds);
    const maker = await apiKeys.countMade(tx, principal.id);
    if (maker === undefined || !isLive(maker, now)) throw unknownKey();
    return maker;
  }
}

function newSecret({ environment, pepper }: Pick<ApiKeysDependencies, 'environment' | 'pepper'>) {
  const plain = newKeySecret(environment);
  return { plain, stored: { hash: hashKey(pepper, plain), start: startOfKey(plain) } };
}
