import type { Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { ApiKeyStore } from '../api-keys/api-keys.store.ts';
import type { KeyJournal } from '../api-keys/key-journal.ts';

export interface CloseKeysDependencies {
  apiKeys: Pick<ApiKeyStore, 'closeProject'>;
  journal: Pick<KeyJournal, 'announce'>;
  clock: Clock;
}

/**
 * Removes a project from a batch of the keys that name it, and revokes keys that have no other; every gateway forgets
 * them. Resolves with the number of keys changed.
 */
export type CloseKeys = (tx: Transaction, projectId: string, requestId: string) => Promise<number>;

const KEYS_AT_A_TIME = 500;

export function createCloseKeys({ apiKeys, journal, clock }: CloseKeysDependencies): CloseKeys {
  return async (tx, projectId, requestId) => {
    const nowMs = clock.now();
    const keys = await apiKeys.closeProject(tx, projectId, { limit: KEYS_AT_A_TIME, nowMs });
    for (const key of keys) await journal.announce(tx, key, { requestId, address: null }, nowMs);
    return keys.length;
  };
}
