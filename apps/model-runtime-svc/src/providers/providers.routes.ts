import {
  createProvider,
  deleteProvider,
  getProvider,
  listProviders,
  setModelReference,
  testProvider,
  updateProvider,
} from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { ProvidersService } from './providers.service.ts';

export function providerRoutes(providers: ProvidersService): Route[] {
  return [
    route(createProvider, async ({ params: { projectId }, body }) => {
      const provider = await providers.create(projectId, body);
      const location = `/v1/projects/${projectId}/models/providers/${provider.name}`;
      return answer(201, provider, { location });
    }),
    route(listProviders, async ({ params, query }) => answer(200, await providers.list(params.projectId, query))),
    route(getProvider, async ({ params }) => answer(200, await providers.get(params.projectId, params.name))),
    route(updateProvider, async ({ params, body }) =>
      answer(200, await providers.update(params.projectId, params.name, body)),
    ),
    route(deleteProvider, async ({ params }) => {
      await providers.remove(params.projectId, params.name);
      return answer(204, null);
    }),
    route(testProvider, async ({ params }) => answer(200, await providers.test(params.projectId, params.name))),
    route(setModelReference, async ({ params: { projectId, kind, referrerId }, body }) => {
      await providers.setReference(projectId, { kind, id: referrerId }, body.models);
      return answer(204, null);
    }),
  ];
}
