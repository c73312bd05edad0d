import { allowanceChanged, NO_QUOTAS, type EnvelopeOf, type quotasChanged, type Quotas } from '@clew/contracts';
import { nativeDb, type Database, type Outbox } from '@clew/persistence';

/** Collection of the quotas that the gateway has reported, under the ids of their projects. */
export const QUOTAS_COLLECTION = 'project_quotas';

interface QuotasDocument {
  _id: string;
  quotas: Quotas;
  revision: number;
}

export interface QuotaCopies {
  get(projectId: string): Promise<Quotas>;
  /** Keeps reported quotas, unless newer ones are known, and tells every process that takes telemetry. */
  take(message: EnvelopeOf<typeof quotasChanged>): Promise<void>;
}

export function createQuotaCopies(database: Database, outbox: Outbox): QuotaCopies {
  const collection = nativeDb(database.connection).collection<QuotasDocument>(QUOTAS_COLLECTION);
  return {
    async get(projectId) {
      const found = await collection.findOne({ _id: projectId });
      return { ...NO_QUOTAS, ...found?.quotas };
    },
    take: ({ projectId, requestId, occurredAt, data: { quotas, revision } }) =>
      database.withTransaction(async (tx) => {
        const held = await collection.findOne({ _id: projectId }, { session: tx });
        if ((held?.revision ?? 0) >= revision) return;
        await collection.replaceOne({ _id: projectId }, { quotas, revision }, { upsert: true, session: tx });
        const key = `${projectId}:quotas:${revision}`;
        await outbox.append(tx, allowanceChanged, { key, projectId, requestId, occurredAt, data: {} });
      }),
  };
}
