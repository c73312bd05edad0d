import type { mongo } from 'mongoose';
import { nativeDb, type Database } from './database.ts';

/** Counts what meets a condition within an index, up to a limit. */
export type CountEntries = (query: object, options: { limit: number; hint: string }) => Promise<number>;

/**
 * Creates a counter for a collection. The command counts the entries of one range of an index, which an aggregation, as
 * that of `countDocuments`, would read one by one.
 */
export function createCountEntries<Document extends mongo.Document>(
  { connection }: Pick<Database, 'connection'>,
  collection: mongo.Collection<Document>,
): CountEntries {
  const db = nativeDb(connection);
  return async (query, { limit, hint }) => {
    const counted = await db.command({ count: collection.collectionName, query, limit, hint });
    return Number(counted['n']);
  };
}
