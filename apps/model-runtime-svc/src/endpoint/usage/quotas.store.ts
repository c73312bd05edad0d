import { NO_QUOTAS, type EnvelopeOf, type quotasChanged, type Quotas } from '@clew/contracts';
import { isDuplicateKey, nativeDb, type Database } from '@clew/persistence';

/** Collection of the quotas that the gateway has reported, under the ids of their projects. */
export const QUOTAS_COLLECTION = 'project_quotas';

interface QuotasDocument {
  _id: string;
  quotas: Quotas;
  revision: number;
}

export interface QuotaCopies {
  get(projectId: string): Promise<Quotas>;
  /** Keeps reported quotas, unless newer ones are known. */
  take(message: EnvelopeOf<typeof quotasChanged>): Promise<void>;
}

export function createQuotaCopies({ connection }: Pick<Database, 'connection'>): QuotaCopies {
  const collection = nativeDb(connection).collection<QuotasDocument>(QUOTAS_COLLECTION);
  return {
    async get(projectId) {
      const found = await collection.findOne({ _id: projectId });
      return { ...NO_QUOTAS, ...found?.quotas };
    },
    async take({ projectId, data: { quotas, revision } }) {
      try {
        const older = { _id: projectId, revision: { $lt: revision } };
        await collection.updateOne(older, { $set: { quotas, revision } }, { upsert: true });
      } catch (error) {
        // The upsert of an older revision meets the newer one.
        if (!isDuplicateKey(error)) throw error;
      }
    },
  };
}
