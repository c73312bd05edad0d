import { nativeDb, type Database } from './database.ts';

/** Sums up the sizes of a project's documents in a collection, in bytes of BSON; its index begins with the project. */
export async function bytesOfProject(
  { connection }: Pick<Database, 'connection'>,
  collection: string,
  projectId: string,
  { maxTimeMS }: { maxTimeMS: number },
): Promise<number> {
  const sizes = [{ $match: { projectId } }, { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }];
  const [found] = await nativeDb(connection)
    .collection(collection)
    .aggregate<{ bytes: number }>(sizes, { maxTimeMS })
    .toArray();
  return found?.bytes ?? 0;
}
