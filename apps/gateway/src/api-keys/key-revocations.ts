import { AppError, type Clock } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import { scopesOf, type GatewayCaller } from '../caller.ts';
import { coversProjects, type StoredApiKey } from './api-key.ts';
import type { ApiKeyStore, KeyParents } from './api-keys.store.ts';
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
  /** Called once a change has committed, so that this replica forgets the key before the broadcast comes. */
  onKeyChanged: (keyId: string) => void;
}

const PARENTS_AT_A_TIME = 100;
const KEYS_AT_A_TIME = 200;

/** Revokes keys, alone or with all that descend from them. */
export function createKeyRevocations({ database, apiKeys, journal, clock, onKeyChanged }: KeyRevocationsDependencies) {
  return {
    /** Revoking a key that is gone already is no error. */
    async revoke(actor: KeyActor, target: KeyTarget): Promise<void> {
      await end(actor, (tx) => targeted(tx, actor, target), null);
    },

    /**
     * Revokes a key and all that descend from it, and resolves with those that were not revoked yet. Makers go before what
     * they made: who is revoked makes no more keys, so each level is whole when it is read, and a run that was cut short
     * goes on when it is repeated.
     */
    async revokeBranch(actor: KeyActor, target: KeyTarget): Promise<string[]> {
      const root = await end(actor, (tx) => targeted(tx, actor, target), null);
      const { revoked } = root;
      const met = new Set(root.met);
      // A successor that somebody else made is not the key's own doing.
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

  /** Revokes those of some keys that are not yet, in one transaction; every gateway forgets them. */
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
  /** Keys among them that were not revoked before. */
  revoked: string[];
}

/**
 * A key that the caller may rotate or revoke, undefined where the project has none. One that opens more than its manager
 * does is not the manager's to rotate (the successor's secret would be theirs) or to revoke.
 */
export async function findManageable(
  tx: Transaction,
  apiKeys: Pick<ApiKeyStore, 'findForProject'>,
  caller: GatewayCaller,
  { projectId, keyId }: KeyTarget,
): Promise<StoredApiKey | undefined> {
  const key = await apiKeys.findForProject(tx, { projectId, workspaceId: caller.workspaceId }, keyId);
  if (key === undefined) return undefined;
  const scopes = scopesOf(caller);
  const coversScopes = key.scopes.every((scope) => scopes.includes(scope));
  if (coversScopes && coversProjects(caller.projectIds, key.projectIds)) return key;
  throw new AppError('FORBIDDEN', 'The key has rights that yours lacks');
}
