import { getProjectUsage, getUsage } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { callerOf } from '../caller.ts';
import type { UsageService } from './usage.service.ts';

export function usageRoutes(usage: UsageService): Route[] {
  return [
    route(getProjectUsage, async ({ params, query }, context) =>
      answer(200, await usage.ofProject(callerOf(context), params.projectId, query)),
    ),
    route(getUsage, async ({ query }, context) => answer(200, await usage.ofAll(callerOf(context), query))),
  ];
}
