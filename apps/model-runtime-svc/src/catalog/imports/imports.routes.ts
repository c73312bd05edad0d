import { importFromHub } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Imported, ImportsService } from './imports.service.ts';

export function importRoutes(imports: ImportsService): Route[] {
  return [
    route(importFromHub, async ({ params: { projectId }, body }, { signal, attempt }) => {
      const imported = await imports.importFromHub(projectId, body.repoId, signal, async (tx, result) => {
        await attempt?.record(tx, importedReply(projectId, result));
      });
      return importedReply(projectId, imported);
    }),
  ];
}

function importedReply(projectId: string, { model, isNew }: Imported) {
  if (!isNew) return answer(200, model);
  return answer(201, model, { location: `/v1/projects/${projectId}/models/${model.id}` });
}
