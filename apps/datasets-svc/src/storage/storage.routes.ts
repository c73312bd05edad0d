import { measureDatasets } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { bytesOfProject, type Database } from '@clew/persistence';

/** Collections whose documents count, each with an index that begins with the project. */
export const MEASURED_COLLECTIONS = ['examples', 'example_revisions'] as const;
const MAX_MEASURE_MS = 25_000;

export function storageRoutes(database: Pick<Database, 'connection'>): Route[] {
  return [
    route(measureDatasets, async ({ params: { projectId } }) => {
      const bytesIn = (name: string) => bytesOfProject(database, name, projectId, { maxTimeMS: MAX_MEASURE_MS });
      const bytes = await Promise.all(MEASURED_COLLECTIONS.map(bytesIn));
      return answer(200, { bytes: bytes.reduce((sum, more) => sum + more, 0) });
    }),
  ];
}
