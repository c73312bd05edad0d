import { eraseConversationFindings, eraseProjectDiagnostics } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { eraseProjectLetters, type Broker } from '@clew/messaging';
import { createEraseProject, type Database, type Tombstones } from '@clew/persistence';
import type { EraseFindings } from './erase-findings.ts';

export interface ErasureDependencies {
  database: Database;
  broker: Broker;
  tombstones: Pick<Tombstones, 'setProject'>;
  eraseFindings: EraseFindings;
}

export function erasureRoutes({ database, broker, tombstones, eraseFindings }: ErasureDependencies): Route[] {
  const eraseLetters = eraseProjectLetters(broker, 'diagnostics-svc');
  const eraseProject = createEraseProject(database, {
    async before(projectId) {
      await tombstones.setProject(projectId);
      return await eraseLetters(projectId);
    },
  });
  return [
    route(eraseConversationFindings, async ({ params }) => answer(200, await eraseFindings(params))),
    route(eraseProjectDiagnostics, async ({ params }) => answer(200, await eraseProject(params.projectId))),
  ];
}
