import { importFromHub } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { ImportsService } from './imports.service.ts';

export function importRoutes(imports: ImportsService): Route[] {
  return [
    route(importFromHub, async ({ params, body }, { signal }) => {
      const { model, isNew } = await imports.importFromHub(params.projectId, body.repoId, signal);
      if (!isNew) return answer(200, model);
      return answer(201, model, { location: `/v1/projects/${params.projectId}/models/${model.id}` });
    }),
  ];
}
