import { discoverFindings } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { rulesUnavailable } from '../rules/index.ts';
import type { DiscoverService } from './discover.service.ts';

/** Route for discovery; `discovery` is undefined if the rule service is not mounted. */
export function discoverRoutes(discovery: DiscoverService | undefined): Route[] {
  return [
    route(discoverFindings, async ({ params, body }, { requestId }) => {
      if (discovery === undefined) throw rulesUnavailable();
      const { projectId } = params;
      return answer(200, await discovery.discover({ projectId, conversationId: body?.conversationId, requestId }));
    }),
  ];
}
