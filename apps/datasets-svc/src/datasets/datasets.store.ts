import { mongo } from 'mongoose';
import type { Slice, SliceRequest } from '@clew/kernel';
import { NEWEST_FIRST, readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import type { DatasetKey } from '../examples/index.ts';
import { fromBytes, toBytes, type ContentState } from '../versions/index.ts';
import { datasetCollection, type DatasetDocument } from './dataset.model.ts';
import type { StoredDataset } from './dataset.ts';

/** Dataset with the state from which its content id is computed. */
export interface OpenDataset {
  dataset: StoredDataset;
  content: ContentState;
}

export interface DatasetStore {
  insert(tx: Transaction, opened: OpenDataset): Promise<void>;
  /** Reads a Dataset that is not deleted. */
  get(projectId: string, datasetId: string): Promise<StoredDataset | undefined>;
  /** Lists Datasets, newest first. */
  list(projectId: string, slice: SliceRequest): Promise<Slice<StoredDataset>>;
  open(tx: Transaction, key: DatasetKey): Promise<OpenDataset | undefined>;
  /** Saves a Dataset. Of two concurrent transactions that save the same Dataset, one is run again. */
  save(tx: Transaction, opened: OpenDataset): Promise<void>;
  /** Hides a Dataset; from then on it is due for removal. */
  hide(tx: Transaction, key: DatasetKey, nowMs: number): Promise<void>;
}

export const DATASETS: KeysetList = { name: 'datasets', order: NEWEST_FIRST };

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

    list(projectId, slice) {
      const read = { filter: { projectId, state: 'active' }, ...WITHOUT_CONTENT, ...slice };
      return readSlice(datasets, DATASETS.order, read, fromDocument);
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
    collectedRedaction: document.collectedRedaction,
    collectionCatchUp: document.collectionCatchUp,
    dailySyntheses: document.dailySyntheses,
    exampleCount: document.exampleCount,
    version: document.version,
    contentId: document.contentId,
    createdAt: document.createdAt,
    updatedAt: document.updatedAt,
  };
}
