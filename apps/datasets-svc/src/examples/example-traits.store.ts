import type { mongo } from 'mongoose';
import type { Split } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import { decodeSignature } from '@clew/similarity';
import { exampleCollection, revisionCollection } from './example.model.ts';
import type { DatasetKey } from './example.ts';

/** Fields that decide which Examples belong together. */
export interface ExampleTraits {
  id: string;
  signature: Uint8Array;
  conversationId?: string;
  derivationKey?: string;
  split?: Split;
}

export interface ExampleTraitsStore {
  /** Reads the traits of all Examples of a version, in pages; changes made meanwhile do not show. */
  pages(key: DatasetKey, version: number): AsyncIterable<readonly ExampleTraits[]>;
  /** Reads the traits of the current Examples, newest first. */
  newest(key: DatasetKey, limit: number): AsyncIterable<readonly ExampleTraits[]>;
}

const PAGE_SIZE = 5_000;
/** Exactly the fields of the index, so that no document is read. */
const TRAITS = { _id: 1, conversationId: 1, derivationKey: 1, split: 1, signature: 1 } as const;
const REVISION_TRAITS = { ...TRAITS, _id: 0, exampleId: 1 } as const;

const INDEX = 'newest_first';

interface TraitFields {
  _id?: string;
  exampleId?: string;
  signature?: string | null;
  conversationId?: string | null;
  derivationKey?: string | null;
  split?: Split | null;
}

export function createExampleTraitsStore(database: Database): ExampleTraitsStore {
  return {
    async *pages(key, version) {
      // One snapshot for both reads, so that an Example that is replaced meanwhile is in exactly one of them.
      const session = database.connection.getClient().startSession({ snapshot: true });
      try {
        yield* pagesOf(currentTraits(database, key, version, { session }));
        yield* pagesOf(retiredTraits(database, key, version, { session }));
      } finally {
        await session.endSession();
      }
    },
    newest: (key, limit) => pagesOf(newestTraits(database, key, limit)),
  };
}

/** Traits of current Examples that were already part of a version. */
export function currentTraits(database: Database, key: DatasetKey, version: number, options: mongo.FindOptions = {}) {
  const { projectId, datasetId } = key;
  return exampleCollection(database)
    .find({ projectId, datasetId, fromVersion: { $lte: version } }, { ...options, batchSize: PAGE_SIZE })
    .project<TraitFields>(TRAITS)
    .hint(INDEX);
}

/** Traits of Examples that were part of a version and were replaced or deleted since. */
export function retiredTraits(database: Database, key: DatasetKey, version: number, options: mongo.FindOptions = {}) {
  const { projectId, datasetId } = key;
  const filter = { projectId, datasetId, fromVersion: { $lte: version }, toVersion: { $gt: version } };
  return revisionCollection(database)
    .find(filter, { ...options, batchSize: PAGE_SIZE })
    .project<TraitFields>(REVISION_TRAITS)
    .hint(INDEX);
}

export function newestTraits(database: Database, { projectId, datasetId }: DatasetKey, limit: number) {
  return exampleCollection(database)
    .find({ projectId, datasetId }, { batchSize: PAGE_SIZE, limit })
    .project<TraitFields>(TRAITS)
    .sort({ createdAt: -1, _id: -1 })
    .hint(INDEX);
}

/** Yields whole batches as the database sends them: a promise for each of a million documents would take seconds. */
async function* pagesOf(cursor: mongo.FindCursor<TraitFields>): AsyncGenerator<ExampleTraits[]> {
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments().flatMap(traitsOf);
  } finally {
    await cursor.close();
  }
}

/** Traits of one index entry; empty for an erased Example. The index returns null for a missing field. */
function traitsOf({ _id, exampleId, signature, conversationId, derivationKey, split }: TraitFields): ExampleTraits[] {
  const id = _id ?? exampleId;
  if (signature == null || id === undefined) return [];
  return [
    {
      id,
      signature: decodeSignature(signature),
      ...(conversationId == null ? {} : { conversationId }),
      ...(derivationKey == null ? {} : { derivationKey }),
      ...(split == null ? {} : { split }),
    },
  ];
}
