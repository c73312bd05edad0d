import {
  deleteHubToken,
  getCatalog,
  getHubDetails,
  getHubToken,
  getModel,
  getModelProfile,
  refreshCatalog,
  setHubToken,
  type RuntimeSnapshot,
} from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { HubTokenStore } from '@clew/model-runtime';
import type { CatalogService } from './catalog.service.ts';
import type { RefreshService } from './refresh.service.ts';

export interface CatalogServices {
  catalog: CatalogService;
  refreshes: RefreshService;
  hubTokens: HubTokenStore;
  runtimeSnapshot(projectId: string): Promise<RuntimeSnapshot>;
  clock: Clock;
}

/**
 * Routes with fixed words in their paths; they must be mounted before all routes that take a model's id in the same
 * place.
 */
export function catalogRoutes({ catalog, refreshes, hubTokens, runtimeSnapshot, clock }: CatalogServices): Route[] {
  return [
    route(getCatalog, async ({ params: { projectId }, query }) => {
      const [runtime, page] = await Promise.all([runtimeSnapshot(projectId), catalog.page(projectId, query)]);
      return answer(200, { runtime, page });
    }),
    route(refreshCatalog, async ({ params, body }, { signal }) =>
      answer(200, await refreshes.refresh(params.projectId, body?.search, signal)),
    ),
    route(getHubToken, async ({ params }) => answer(200, await hubTokens.status(params.projectId))),
    route(setHubToken, async ({ params, body }) =>
      answer(200, await hubTokens.set(params.projectId, body.token, clock.now())),
    ),
    route(deleteHubToken, async ({ params }) => {
      await hubTokens.remove(params.projectId);
      return answer(204, null);
    }),
  ];
}

/** Routes by model id; they must be mounted last, since `/models/:modelId` also matches other paths. */
export function modelRoutes(catalog: CatalogService): Route[] {
  const detail = ({ projectId, modelId, profileId }: { projectId: string; modelId: string; profileId?: string }) =>
    catalog.detail(projectId, modelId, profileId);
  return [
    route(getHubDetails, async ({ params }, { signal }) =>
      answer(200, await catalog.hubDetails(params.projectId, params.modelId, signal)),
    ),
    route(getModel, async ({ params }) => answer(200, await detail(params))),
    route(getModelProfile, async ({ params }) => answer(200, await detail(params))),
  ];
}
