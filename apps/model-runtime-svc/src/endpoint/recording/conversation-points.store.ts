import { insertNew, nativeDb, type Database } from '@clew/persistence';
import { MAX_POINTS_PER_HASH, type ConversationPoint, type ConversationPointChanges } from './conversation-finder.ts';
import { pointModel, type PointDocument } from './conversation-point.model.ts';

export interface ConversationPointsStore {
  /** Returns the points with any of the hashes, the oldest first. */
  find(hashesByProject: ReadonlyMap<string, readonly string[]>): Promise<ConversationPoint[]>;
  save(changes: ConversationPointChanges): Promise<void>;
}

export function createConversationPointsStore(database: Database): ConversationPointsStore {
  const { name } = pointModel(database.connection).collection;
  const collection = nativeDb(database.connection).collection<PointDocument>(name);
  return {
    async find(hashesByProject) {
      const reads = [...hashesByProject].map(([projectId, hashes]) =>
        collection
          .find({ projectId, hash: { $in: [...hashes] } })
          .sort({ at: 1 })
          .limit(hashes.length * MAX_POINTS_PER_HASH)
          .toArray(),
      );
      const documents = (await Promise.all(reads)).flat();
      return documents.map(({ projectId, hash, conversationId, continued, at }) => ({
        ...{ projectId, hash, conversationId, continued },
        atMs: at.getTime(),
      }));
    },
    async save({ added, changed }) {
      const stored = await insertNew(collection, added.map(documentOf));
      const writes = [...stored, ...changed.map(documentOf)].map(({ _id, ...$set }) => ({
        updateOne: { filter: { _id }, update: { $set }, upsert: true },
      }));
      if (writes.length > 0) await collection.bulkWrite(writes, { ordered: false });
    },
  };
}

function documentOf({ projectId, hash, conversationId, continued, atMs }: ConversationPoint): PointDocument {
  const _id = `${projectId}:${hash}:${conversationId}`;
  return { _id, projectId, hash, conversationId, continued, at: new Date(atMs) };
}
