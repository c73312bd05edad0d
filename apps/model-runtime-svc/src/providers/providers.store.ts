import type { CursorKey } from '@clew/kernel';
import { isDuplicateKey, keysetFilter, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import { modelReferenceModel, providerModel, type ProviderDocument } from './provider.model.ts';
import type { StoredProvider } from './provider.ts';

export const PROVIDER_SORT: KeysetSort = [['name', 1]];

export interface ProviderStore {
  /** False where the project has one of that name. */
  insert(provider: StoredProvider): Promise<boolean>;
  find(projectId: string, name: string, tx?: Transaction): Promise<StoredProvider | undefined>;
  list(projectId: string, page: { limit: number; after?: CursorKey }): Promise<StoredProvider[]>;
  /** Replaces what had the revision before; false where it has changed since. */
  replace(provider: StoredProvider): Promise<boolean>;
  remove(tx: Transaction, projectId: string, name: string): Promise<boolean>;
  /** Whether something of the project names one of its models. */
  isReferenced(tx: Transaction, projectId: string, name: string): Promise<boolean>;
  setReference(projectId: string, referrer: { kind: string; id: string }, models: readonly string[]): Promise<void>;
}

export function createProviderStore(database: Database): ProviderStore {
  const providers = providerModel(database.connection);
  const references = modelReferenceModel(database.connection);
  return {
    async insert(provider) {
      try {
        await providers.create(toDocument(provider));
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async find(projectId, name, tx) {
      const document = await providers
        .findOne({ projectId, name })
        .session(tx ?? null)
        .lean();
      return document === null ? undefined : fromDocument(document);
    },
    async list(projectId, { limit, after }) {
      const filter = { projectId, ...(after === undefined ? {} : keysetFilter(PROVIDER_SORT, after)) };
      const documents = await providers.find(filter).sort({ name: 1 }).limit(limit).lean();
      return documents.map(fromDocument);
    },
    async replace(provider) {
      const { projectId, name, revision } = provider;
      const { matchedCount } = await providers.replaceOne(
        { projectId, name, revision: revision - 1 },
        toDocument(provider),
      );
      return matchedCount === 1;
    },
    async remove(tx, projectId, name) {
      const { deletedCount } = await providers.deleteOne({ projectId, name }, { session: tx });
      return deletedCount === 1;
    },
    async isReferenced(tx, projectId, name) {
      return (await references.exists({ projectId, providers: name }).session(tx)) !== null;
    },
    async setReference(projectId, { kind, id }, models) {
      const _id = `${projectId}:${kind}:${id}`;
      if (models.length === 0) {
        await references.deleteOne({ _id });
        return;
      }
      const named = [...new Set(models.map((model) => model.slice(0, model.indexOf('/'))))];
      await references.replaceOne({ _id }, { projectId, models: [...models], providers: named }, { upsert: true });
    },
  };
}

function toDocument(provider: StoredProvider): ProviderDocument {
  return { _id: `${provider.projectId}:${provider.name}`, ...provider };
}

function fromDocument({ _id, ...provider }: ProviderDocument): StoredProvider {
  return provider;
}
