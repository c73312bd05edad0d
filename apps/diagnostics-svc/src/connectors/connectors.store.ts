import type { TrackerProvider } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { NEWEST_FIRST, readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import { connectorCollection, connectorSetCollection, type ConnectorDocument } from './connector.model.ts';
import type { StoredConnector } from './stored-connector.ts';

export const CONNECTORS: KeysetList = { name: 'connectors', order: NEWEST_FIRST, invalidCursor: 'INVALID_FILTER' };

/** Default connector of each provider of a project that has one. */
export type Defaults = Readonly<Partial<Record<TrackerProvider, string>>>;

export interface ConnectorStore {
  insert(tx: Transaction, connector: StoredConnector): Promise<void>;
  find(projectId: string, connectorId: string, tx?: Transaction): Promise<StoredConnector | undefined>;
  /** Finds a connector of any project, for deliveries, whose address names none. */
  findByAddress(connectorId: string): Promise<StoredConnector | undefined>;
  list(projectId: string, slice: SliceRequest): Promise<Slice<StoredConnector>>;
  /** Replaces a connector; of two concurrent transactions that do so, one is run again. */
  replace(tx: Transaction, connector: StoredConnector): Promise<void>;
  remove(tx: Transaction, projectId: string, connectorId: string): Promise<void>;
  defaults(projectId: string, tx?: Transaction): Promise<Defaults>;
  /** Adds to the number of connectors and returns it; of two concurrent transactions that do so, one is run again. */
  count(tx: Transaction, projectId: string, added: number): Promise<number>;
  /** Makes a connector the default of its provider in place of any other; null leaves the provider without one. */
  setDefault(tx: Transaction, projectId: string, provider: TrackerProvider, connectorId: string | null): Promise<void>;
}

export function createConnectorStore(database: Database): ConnectorStore {
  const documents = connectorCollection(database);
  const sets = connectorSetCollection(database);

  async function defaultsOf(projectId: string, tx?: Transaction): Promise<Defaults> {
    return (await sets.findOne({ _id: projectId }, inside(tx)))?.defaults ?? {};
  }

  return {
    async insert(tx, connector) {
      await documents.insertOne(documentOf(connector), { session: tx });
    },
    async find(projectId, connectorId, tx) {
      const document = await documents.findOne({ _id: connectorId, projectId }, inside(tx));
      return document === null ? undefined : storedOf(document, await defaultsOf(projectId, tx));
    },
    async findByAddress(connectorId) {
      const document = await documents.findOne({ _id: connectorId });
      return document === null ? undefined : storedOf(document, {});
    },
    async list(projectId, slice) {
      const defaults = await defaultsOf(projectId);
      return await readSlice(documents, CONNECTORS.order, { filter: { projectId }, ...slice }, (document) =>
        storedOf(document, defaults),
      );
    },
    async replace(tx, connector) {
      const { _id, projectId, ...fields } = documentOf(connector);
      await documents.replaceOne({ _id, projectId }, { projectId, ...fields }, { session: tx });
    },
    async remove(tx, projectId, connectorId) {
      await documents.deleteOne({ _id: connectorId, projectId }, { session: tx });
    },
    defaults: defaultsOf,
    async count(tx, projectId, added) {
      const set = await sets.findOneAndUpdate(
        { _id: projectId },
        { $inc: { count: added }, $setOnInsert: { defaults: {} } },
        { session: tx, upsert: true, returnDocument: 'after' },
      );
      return set?.count ?? added;
    },
    async setDefault(tx, projectId, provider, connectorId) {
      const field = `defaults.${provider}`;
      const update = connectorId === null ? { $unset: { [field]: '' } } : { $set: { [field]: connectorId } };
      await sets.updateOne({ _id: projectId }, update as object, { session: tx });
    },
  };
}

function inside(tx: Transaction | undefined): { session?: Transaction } {
  return tx === undefined ? {} : { session: tx };
}

function documentOf({ id, isDefault: _isDefault, ...fields }: StoredConnector): ConnectorDocument {
  return { _id: id, ...fields };
}

function storedOf({ _id, ...fields }: ConnectorDocument, defaults: Defaults): StoredConnector {
  return { id: _id, ...fields, isDefault: defaults[fields.provider] === _id };
}
