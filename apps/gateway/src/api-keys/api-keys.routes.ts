import { createApiKey, listApiKeys, revokeApiKey, revokeOwnKey, rotateApiKey } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { callerOf } from '../caller.ts';
import { originOf } from '../request-origin.ts';
import type { ApiKeysService } from './api-keys.service.ts';

export function apiKeyRoutes(apiKeys: ApiKeysService): Route[] {
  return [
    route(createApiKey, async ({ params, body }, context) => {
      const made = await apiKeys.create(callerOf(context), params.projectId, body, originOf(context));
      return answer(201, made, headersOfSecret(params.projectId, made.apiKey.id));
    }),
    route(listApiKeys, async ({ params, query }, context) =>
      answer(200, await apiKeys.list(callerOf(context), params.projectId, query)),
    ),
    route(rotateApiKey, async ({ params, body }, context) => {
      const made = await apiKeys.rotate(callerOf(context), params, body.graceMs, originOf(context));
      return answer(201, made, headersOfSecret(params.projectId, made.apiKey.id));
    }),
    route(revokeApiKey, async ({ params, query }, context) => {
      const actor = { caller: callerOf(context), origin: originOf(context) };
      if (query.withDescendants) return answer(200, { revoked: await apiKeys.revokeBranch(actor, params) });
      await apiKeys.revoke(actor, params);
      return answer(204, null);
    }),
    route(revokeOwnKey, async (_input, context) => {
      await apiKeys.revokeOwn({ caller: callerOf(context), origin: originOf(context) });
      return answer(204, null);
    }),
  ];
}

function headersOfSecret(projectId: string, keyId: string): Record<string, string> {
  return { location: `/v1/projects/${projectId}/api-keys/${keyId}`, 'cache-control': 'no-store' };
}
