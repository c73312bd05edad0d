import type { Model } from 'mongoose';

const DUPLICATE_KEY = 11_000;

interface WriteFailure {
  writeErrors?: { code?: number; index?: number }[] | { code?: number; index?: number };
  result?: { getWriteConcernError?(): unknown };
}

/**
 * Inserts what is not there yet and leaves the rest as it is; returns the documents that were there already.
 * Inserting and passing over duplicates costs half of what upserting does.
 */
export async function insertNew<Document extends { _id: string }>(
  model: Pick<Model<Document>, 'collection'>,
  documents: readonly Document[],
): Promise<Document[]> {
  if (documents.length === 0) return [];
  try {
    await model.collection.insertMany([...documents] as never[], { ordered: false });
    return [];
  } catch (error) {
    const duplicates = duplicatesOf(error);
    if (duplicates === undefined) throw error;
    return duplicates.map((index) => documents[index]).filter((document) => document !== undefined);
  }
}

/** The positions of the duplicates, where nothing else went wrong. */
function duplicatesOf(error: unknown): number[] | undefined {
  const { writeErrors, result } = (error ?? {}) as WriteFailure;
  if (writeErrors === undefined || result?.getWriteConcernError?.() !== undefined) return undefined;
  const all = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  if (all.length === 0 || all.some(({ code }) => code !== DUPLICATE_KEY)) return undefined;
  return all.map(({ index }) => index ?? -1);
}
