import type { Slice, SliceRequest } from '@clew/kernel';
import { isDuplicateKey, readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import { modelReferenceModel, providerModel, type ProviderDocument } from './provider.model.ts';
import { providersOf, type StoredProvider } from './provider.ts';

export const PROVIDERS: KeysetList = { name: 'providers', order: [['name', 1]] };

export interface ProviderStore {
  /** Inserts a provider; false if the project already has one of that name, and the transaction is then aborted. */
  insert(tx: Transaction, provider: StoredProvider): Promise<boolean>;
  find(projectId: string, name: string, tx?: Transaction): Promise<StoredProvider | undefined>;
  /** Lists providers by name. */
  list(projectId: string, slice: SliceRequest): Promise<Slice<StoredProvider>>;
  /** Replaces the stored provider if it has the previous revision; false if it has changed since. */
  replace(provider: StoredProvider, tx: Transaction): Promise<boolean>;
  remove(tx: Transaction, projectId: string, name: string): Promise<void>;
  /** Whether anything in the project names one of its models. */
  isReferenced(tx: Transaction, projectId: string, name: string): Promise<boolean>;
  /**
   * Stores the models that a referrer names from now on; returns the providers among them that are missing. If the
   * referrer numbers its changes, one older than the last received has no effect.
   */
  setReference(
    tx: Transaction,
    projectId: string,
    referrer: { kind: string; id: string },
    change: { models: readonly string[]; revision?: number },
  ): Promise<string[]>;
}

export function createProviderStore(database: Database): ProviderStore {
  const providers = providerModel(database.connection);
  const references = modelReferenceModel(database.connection);
  return {
    async insert(tx, provider) {
      try {
        await providers.create([toDocument(provider)], { session: tx });
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
    list: (projectId, slice) =>
      readSlice(providers, PROVIDERS.order, { filter: { projectId }, ...slice }, fromDocument),
    async replace(provider, tx) {
      const { projectId, name, revision } = provider;
      const { matchedCount } = await providers.replaceOne(
        { projectId, name, revision: revision - 1 },
        toDocument(provider),
        { session: tx },
      );
      return matchedCount === 1;
    },
    async remove(tx, projectId, name) {
      await providers.deleteOne({ projectId, name }, { session: tx });
    },
    async isReferenced(tx, projectId, name) {
      return (await references.exists({ projectId, providers: name }).session(tx)) !== null;
    },
    async setReference(tx, projectId, { kind, id }, { models, revision }) {
      const _id = `${projectId}:${kind}:${id}`;
      if (revision === undefined && models.length === 0) {
        await references.deleteOne({ _id }, { session: tx });
        return [];
      }
      if (revision !== undefined) {
        const held = await references.findById(_id).session(tx).lean();
        if (held?.revision !== undefined && held.revision >= revision) return [];
      }
      const named = providersOf(models);
      const missing: string[] = [];
      for (const name of named) {
        const pinned = await providers.updateOne({ projectId, name }, { $inc: { pins: 1 } }, { session: tx });
        if (pinned.matchedCount === 0) missing.push(name);
      }
      // With a revision, the reference is kept even if it names nothing: an older change may still arrive.
      const counted = revision === undefined ? {} : { revision };
      const reference = { projectId, models: [...models], providers: named, ...counted };
      await references.replaceOne({ _id }, reference, { upsert: true, session: tx });
      return missing;
    },
  };
}

function toDocument(provider: StoredProvider): ProviderDocument {
  return { _id: `${provider.projectId}:${provider.name}`, ...provider, pins: 0 };
}

function fromDocument({ _id, pins: _pins, ...provider }: ProviderDocument): StoredProvider {
  return provider;
}
