import { measureDatasets } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { nativeDb, type Database } from '@clew/persistence';

/** Collections whose documents count, each with an index that begins with the project. */
export const MEASURED_COLLECTIONS = ['examples', 'example_revisions'] as const;
const MAX_MEASURE_MS = 25_000;

export function storageRoutes({ connection }: Pick<Database, 'connection'>): Route[] {
  async function bytesIn(name: string, projectId: string): Promise<number> {
    const [found] = await nativeDb(connection)
      .collection(name)
      .aggregate<{ bytes: number }>(
        [{ $match: { projectId } }, { $group: { _id: null, bytes: { $sum: { $bsonSize: '$$ROOT' } } } }],
        { maxTimeMS: MAX_MEASURE_MS },
      )
      .toArray();
    return found?.bytes ?? 0;
  }

  return [
    route(measureDatasets, async ({ params: { projectId } }) => {
      const bytes = await Promise.all(MEASURED_COLLECTIONS.map((name) => bytesIn(name, projectId)));
      return answer(200, { bytes: bytes.reduce((sum, more) => sum + more, 0) });
    }),
  ];
}
