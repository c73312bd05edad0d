import { eraseProjectModels } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { createEraseProject, type Database } from '@clew/persistence';
import type { GiveAllBack } from './give-all-back.ts';

/** Collections of nodes; their resources are removed when the last project that holds them gives them back. */
const OF_NODES = ['runtime_nodes', 'runtime_resources'];

export function erasureRoutes(database: Database, giveAllBack: GiveAllBack): Route[] {
  const eraseProject = createEraseProject(database, { keep: OF_NODES });
  return [
    route(eraseProjectModels, async ({ params: { projectId } }, { requestId }) => {
      const held = await giveAllBack({ projectId, requestId });
      // The project's claims are removed with its other documents, when none is held any more.
      if (held > 0) return answer(200, { removed: { held }, done: false });
      return answer(200, await eraseProject(projectId));
    }),
  ];
}
