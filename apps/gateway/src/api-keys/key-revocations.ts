import { AppError, type Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { scopesOf, type GatewayCaller } from '../caller.ts';
import { coversProjects, type StoredApiKey } from './api-key.ts';
import type { ApiKeyStore, KeyParents } from './api-keys.store.ts';
import { projectsWithKeysOf } from './key-maker.ts';
import type { KeyActor, KeyJournal } from './key-journal.ts';

export interface KeyTarget {
  projectId: string;
  keyId: string;
}

export interface KeyRevocationsDependencies {
  database: Database;
  apiKeys: ApiKeyStore;
  journal: KeyJournal;
  clock: Clock;
  /** Called when a change has committed, so that this replica forgets the key before the broadcast arrives. */
  onKeyChanged: (keyId: string) => void;
}

const PARENTS_AT_A_TIME = 100;
const KEYS_AT_A_TIME = 200;

/** Revokes keys, alone or with all their descendants. */
export function createKeyRevocations({ database, apiKeys, journal, clock, onKeyChanged }: KeyRevocationsDependencies) {
  return {
    /** Revokes one key; succeeds also if the key is already gone. */
    async revoke(actor: KeyActor, target: KeyTarget): Promise<void> {
      await end(actor, (tx) => targeted(tx, actor, target), null);
    },

    /**
     * Revokes a key and all its descendants, and resolves with the ids of those that were not revoked before. Makers
     * are revoked before the keys they made. A revoked key makes no more keys, so each level is complete when it is
     * read, and repeating an interrupted run continues it.
     */
    async revokeBranch(actor: KeyActor, target: KeyTarget): Promise<string[]> {
      const root = await end(actor, (tx) => targeted(tx, actor, target), null);
      const { revoked } = root;
      const met = new Set(root.met);
      // Successors of the root key are not followed: one that somebody else made is not the root key's own doing.
      let level = { makers: root.met, predecessors: [] as string[] };
      while (level.makers.length > 0) {
        const found = await endLevel(actor, level, target.keyId);
        revoked.push(...found.revoked);
        const next = found.met.filter((id) => !met.has(id));
        next.forEach((id) => met.add(id));
        level = { makers: next, predecessors: next };
      }
      return revoked;
    },

    /** Revokes the key that asks for it. */
    async revokeOwn(actor: KeyActor): Promise<void> {
      const { id } = actor.caller.principal;
      await end(actor, async (tx) => [await apiKeys.get(id, tx)].filter((key) => key !== undefined), null);
    },

    /** Revokes all keys of a person, in batches; repeating it continues an interrupted run. */
    async revokeOfPerson(actor: KeyActor, userId: string): Promise<void> {
      let count;
      do {
        const { revoked } = await end(actor, (tx) => apiKeys.ofPerson(tx, userId, KEYS_AT_A_TIME), null);
        count = revoked.length;
      } while (count === KEYS_AT_A_TIME);
    },
  };

  async function targeted(tx: Transaction, { caller }: KeyActor, target: KeyTarget): Promise<StoredApiKey[]> {
    const key = await findManageable(tx, apiKeys, caller, target);
    return key === undefined ? [] : [key];
  }

  async function endLevel(actor: KeyActor, { makers, predecessors }: KeyParents, rootId: string): Promise<EndedKeys> {
    const ended: EndedKeys = { met: [], revoked: [] };
    for (let start = 0; start < makers.length; start += PARENTS_AT_A_TIME) {
      const some = (ids: readonly string[]) => ids.slice(start, start + PARENTS_AT_A_TIME);
      const parents = { makers: some(makers), predecessors: some(predecessors) };
      let page: EndedKeys | undefined;
      do {
        const slice = { afterId: page?.met.at(-1) ?? '', limit: KEYS_AT_A_TIME };
        page = await end(actor, (tx) => apiKeys.descending(tx, parents, slice), rootId);
        ended.met.push(...page.met);
        ended.revoked.push(...page.revoked);
      } while (page.met.length === KEYS_AT_A_TIME);
    }
    return ended;
  }

  /** Revokes, in one transaction, those of the found keys that are not revoked yet; every gateway forgets them. */
  async function end(
    { caller, origin }: KeyActor,
    find: (tx: Transaction) => Promise<StoredApiKey[]>,
    descendedFrom: string | null,
  ): Promise<EndedKeys> {
    const ended = await database.withTransaction(async (tx) => {
      const keys = await find(tx);
      const standing = keys.filter(({ revokedAt }) => revokedAt === null);
      const now = clock.now();
      await apiKeys.revoke(tx, standing, now);
      for (const key of standing) {
        await journal.announce(tx, key, origin, now);
        const after = descendedFrom === null ? null : { descendedFrom };
        await journal.record(tx, 'api-key.revoked', key, { caller, origin }, after);
      }
      return { met: keys.map(({ id }) => id), revoked: standing.map(({ id }) => id) };
    });
    ended.revoked.forEach(onKeyChanged);
    return ended;
  }
}

interface EndedKeys {
  met: string[];
  /** Ids of those that were not revoked before. */
  revoked: string[];
}

/**
 * Finds a key that the caller may rotate or revoke; undefined if the project has none. A key that opens more than the
 * caller does is refused: rotating it would give the caller the successor's secret.
 */
export async function findManageable(
  tx: Transaction,
  apiKeys: Pick<ApiKeyStore, 'findForProject'>,
  caller: GatewayCaller,
  { projectId, keyId }: KeyTarget,
): Promise<StoredApiKey | undefined> {
  const key = await apiKeys.findForProject(tx, { projectId, workspaceId: caller.workspaceId }, keyId);
  if (key === undefined) return undefined;
  const scopes = scopesOf(caller, key.projectIds);
  const coversScopes = key.scopes.every((scope) => scopes.includes(scope));
  const { signedIn, projectIds } = caller;
  const mine = signedIn === undefined ? projectIds : projectsWithKeysOf(signedIn.user);
  if (coversScopes && coversProjects(mine, key.projectIds)) return key;
  throw new AppError('FORBIDDEN', 'The key has rights that yours lacks');
}
