import type { DatasetVersion } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import type { DatasetKey } from '../examples/index.ts';
import { versionCollection, type VersionDocument } from './version.model.ts';

export interface VersionStore {
  insert(tx: Transaction, key: DatasetKey, versions: readonly DatasetVersion[]): Promise<void>;
  get(key: DatasetKey, version: number): Promise<DatasetVersion | undefined>;
  /** Lists versions, newest first. */
  list(key: DatasetKey, slice: SliceRequest): Promise<Slice<DatasetVersion>>;
}

export const VERSIONS: KeysetList = { name: 'dataset-versions', order: [['version', -1]] };

export function createVersionStore(database: Database): VersionStore {
  const versions = versionCollection(database);
  return {
    async insert(tx, { projectId, datasetId }, added) {
      if (added.length === 0) return;
      const documents = added.map((version) => ({
        _id: `${datasetId}:${version.version}`,
        projectId,
        datasetId,
        ...version,
      }));
      await versions.insertMany(documents, { session: tx });
    },

    async get({ projectId, datasetId }, version) {
      const document = await versions.findOne({ projectId, datasetId, version });
      return document === null ? undefined : fromDocument(document);
    },

    list: ({ projectId, datasetId }, slice) =>
      readSlice(versions, VERSIONS.order, { filter: { projectId, datasetId }, ...slice }, fromDocument),
  };
}

function fromDocument({ version, contentId, exampleCount, createdAt }: VersionDocument): DatasetVersion {
  return { version, contentId, exampleCount, createdAt };
}
