import {
  createProvider,
  deleteProvider,
  getProvider,
  listProviders,
  setModelReference,
  testProvider,
  updateProvider,
} from '@clew/contracts';
import { answer, doerOf, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import type { ChangeConditions, ProvidersService, TaggedProvider } from './providers.service.ts';

export function providerRoutes(providers: ProvidersService): Route[] {
  return [
    route(createProvider, async ({ params: { projectId }, body }, context) => {
      const created = await providers.create(projectId, body, doerOf(context), async (tx, provider) => {
        await context.attempt?.record(tx, createdReply(projectId, provider));
      });
      return createdReply(projectId, created);
    }),
    route(listProviders, async ({ params, query }) => answer(200, await providers.list(params.projectId, query))),
    route(getProvider, async ({ params }) => foundReply(await providers.get(params.projectId, params.name))),
    route(updateProvider, async ({ params, body }, context) =>
      foundReply(await providers.update(params.projectId, params.name, body, conditionsOf(context))),
    ),
    route(deleteProvider, async ({ params }, context) => {
      await providers.remove(params.projectId, params.name, conditionsOf(context));
      return answer(204, null);
    }),
    route(testProvider, async ({ params }) => answer(200, await providers.test(params.projectId, params.name))),
    route(setModelReference, async ({ params: { projectId, kind, referrerId }, body }) =>
      answer(200, await providers.setReference(projectId, { kind, id: referrerId }, body.models)),
    ),
  ];
}

function createdReply(projectId: string, { provider, etag }: TaggedProvider) {
  return answer(201, provider, { location: `/v1/projects/${projectId}/models/providers/${provider.name}`, etag });
}

function foundReply({ provider, etag }: TaggedProvider) {
  return answer(200, provider, { etag });
}

function conditionsOf(context: RequestContext): ChangeConditions {
  const precondition = preconditionOf(context.request);
  return { doer: doerOf(context), check: (etag) => precondition.check(etag) };
}
