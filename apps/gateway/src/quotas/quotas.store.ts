import { NO_QUOTAS, type Quotas } from '@clew/contracts';
import { sha256Hex } from '@clew/kernel';
import { nativeDb, type Database, type Transaction } from '@clew/persistence';

/** Collection with one document for each project that ever had quotas, under the project's id. */
export const QUOTAS_COLLECTION = 'project_quotas';

export interface StoredQuotas {
  quotas: Quotas;
  /** Number that grows with every change; 0 if they were never set. */
  revision: number;
  updatedAt: number | null;
}

export interface QuotasStore {
  get(projectId: string, tx?: Transaction): Promise<StoredQuotas>;
  put(tx: Transaction, projectId: string, stored: StoredQuotas): Promise<void>;
}

export function createQuotasStore({ connection }: Pick<Database, 'connection'>): QuotasStore {
  const collection = nativeDb(connection).collection<StoredQuotas & { _id: string }>(QUOTAS_COLLECTION);
  return {
    async get(projectId, tx) {
      const found = await collection.findOne({ _id: projectId }, tx === undefined ? {} : { session: tx });
      if (found === null) return { quotas: NO_QUOTAS, revision: 0, updatedAt: null };
      const { quotas, revision, updatedAt } = found;
      return { quotas: { ...NO_QUOTAS, ...quotas }, revision, updatedAt };
    },
    async put(tx, projectId, stored) {
      await collection.replaceOne({ _id: projectId }, stored, { upsert: true, session: tx });
    },
  };
}

/** ETag that changes with every change of the quotas. */
export function quotasEtag(projectId: string, { quotas, revision }: StoredQuotas): string {
  return `"${sha256Hex(JSON.stringify([projectId, revision, quotas])).slice(0, 32)}"`;
}
