import type { mongo } from 'mongoose';
import { DUPLICATE_KEY_CODE } from './database.ts';

/** Collection of the driver or of Mongoose, with any document type. */
interface AnyCollection {
  insertMany(documents: never[], options: mongo.BulkWriteOptions): Promise<unknown>;
}

interface WriteFailure {
  writeErrors?: { code?: number; index?: number }[] | { code?: number; index?: number };
  result?: { getWriteConcernError?(): unknown };
}

/**
 * Inserts the documents that do not exist yet and leaves the others unchanged; returns the documents whose `_id`, or
 * another unique key, existed already. Inserting and skipping duplicates costs half as much as upserting.
 */
export async function insertNew<Document extends { _id: string }>(
  collection: AnyCollection,
  documents: readonly Document[],
): Promise<Document[]> {
  if (documents.length === 0) return [];
  try {
    await collection.insertMany([...documents] as never[], { ordered: false });
    return [];
  } catch (error) {
    const duplicates = duplicatesOf(error);
    if (duplicates === undefined) throw error;
    return duplicates.map((index) => documents[index]).filter((document) => document !== undefined);
  }
}

/** Returns the positions of the duplicates; undefined if anything else went wrong. */
function duplicatesOf(error: unknown): number[] | undefined {
  const { writeErrors, result } = (error ?? {}) as WriteFailure;
  if (writeErrors === undefined || result?.getWriteConcernError?.() !== undefined) return undefined;
  const all = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  if (all.length === 0 || all.some(({ code }) => code !== DUPLICATE_KEY_CODE)) return undefined;
  return all.map(({ index }) => index ?? -1);
}
