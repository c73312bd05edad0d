import { eraseProjectModels } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { createEraseProject, type Database } from '@clew/persistence';
import type { GiveAllBack } from './give-all-back.ts';

/** What belongs to nodes goes when the last project that holds it gives it back. */
const OF_NODES = ['runtime_nodes', 'runtime_resources'];

export function erasureRoutes(database: Database, giveAllBack: GiveAllBack): Route[] {
  const eraseProject = createEraseProject(database, { keep: OF_NODES });
  return [
    route(eraseProjectModels, async ({ params: { projectId } }, { requestId }) => {
      const held = await giveAllBack({ projectId, requestId });
      // Its claims go with its other documents, once none of them counts any more.
      if (held > 0) return answer(200, { removed: { held }, done: false });
      return answer(200, await eraseProject(projectId));
    }),
  ];
}
