import { mongo } from 'mongoose';
import type { CursorKey } from '@clew/kernel';
import { keysetFilter, type Database, type KeysetSort, type Transaction } from '@clew/persistence';
import type { DatasetKey } from '../examples/index.ts';
import { fromBytes, toBytes, type ContentState } from '../versions/index.ts';
import { datasetCollection, type DatasetDocument } from './dataset.model.ts';
import type { StoredDataset } from './dataset.ts';

/** A Dataset with what its content id is made from. */
export interface OpenDataset {
  dataset: StoredDataset;
  content: ContentState;
}

export interface DatasetStore {
  insert(tx: Transaction, opened: OpenDataset): Promise<void>;
  /** One that is not deleted. */
  get(projectId: string, datasetId: string): Promise<StoredDataset | undefined>;
  /** Newest first. */
  list(projectId: string, page: { limit: number; after?: CursorKey | undefined }): Promise<StoredDataset[]>;
  open(tx: Transaction, key: DatasetKey): Promise<OpenDataset | undefined>;
  /** Of two transactions that save one Dataset, one is run again. */
  save(tx: Transaction, opened: OpenDataset): Promise<void>;
  /** Hides a Dataset; it is due to be removed from then on. */
  hide(tx: Transaction, key: DatasetKey, nowMs: number): Promise<void>;
}

const NEWEST_FIRST: KeysetSort = [
  ['createdAt', -1],
  ['_id', -1],
];
const WITHOUT_CONTENT = { projection: { contentState: 0 } } as const;

export function createDatasetStore(database: Database): DatasetStore {
  const datasets = datasetCollection(database);
  return {
    async insert(tx, opened) {
      await datasets.insertOne({ ...toDocument(opened), state: 'active' }, { session: tx });
    },

    async get(projectId, datasetId) {
      const document = await datasets.findOne({ _id: datasetId, projectId, state: 'active' }, WITHOUT_CONTENT);
      return document === null ? undefined : fromDocument(document);
    },

    async list(projectId, { limit, after }) {
      const position = after === undefined ? {} : keysetFilter(NEWEST_FIRST, after);
      const found = datasets
        .find({ projectId, state: 'active', ...position }, WITHOUT_CONTENT)
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit);
      return (await found.toArray()).map(fromDocument);
    },

    async open(tx, { projectId, datasetId }) {
      const document = await datasets.findOne({ _id: datasetId, projectId, state: 'active' }, { session: tx });
      if (document === null) return undefined;
      return { dataset: fromDocument(document), content: fromBytes(document.contentState.buffer) };
    },

    async save(tx, opened) {
      const { _id, projectId, ...fields } = toDocument(opened);
      await datasets.updateOne({ _id, projectId, state: 'active' }, { $set: fields }, { session: tx });
    },

    async hide(tx, { projectId, datasetId }, nowMs) {
      await datasets.updateOne(
        { _id: datasetId, projectId, state: 'active' },
        { $set: { state: 'deleting', dueAt: nowMs } },
        { session: tx },
      );
    },
  };
}

function toDocument({ dataset: { id, ...fields }, content }: OpenDataset): Omit<DatasetDocument, 'state'> {
  return { _id: id, ...fields, contentState: new mongo.Binary(toBytes(content)) };
}

function fromDocument(document: Omit<DatasetDocument, 'contentState'>): StoredDataset {
  return {
    id: document._id,
    projectId: document.projectId,
    name: document.name,
    description: document.description,
    policy: document.policy,
    policyRevision: document.policyRevision,
    collectionEnabled: document.collectionEnabled,
    exampleCount: document.exampleCount,
    version: document.version,
    contentId: document.contentId,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
  };
}
