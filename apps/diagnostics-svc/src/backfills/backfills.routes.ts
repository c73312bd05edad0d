import { cancelRuleBackfill, createRuleBackfill, getRuleBackfill, listRuleBackfills } from '@clew/contracts';
import { answer, idempotencyKeyOf, route, type Route } from '@clew/http';
import { rulesUnavailable } from '../rules/index.ts';
import type { BackfillsService } from './backfills.service.ts';

/** Routes for backfills; `backfills` is undefined if the rule service is not mounted. */
export function backfillRoutes(backfills: BackfillsService | undefined): Route[] {
  const mounted = () => {
    if (backfills === undefined) throw rulesUnavailable();
    return backfills;
  };
  return [
    route(createRuleBackfill, async ({ params, body }, { request, requestId }) => {
      const key = idempotencyKeyOf(request);
      return answer(202, await mounted().request({ ...params, ...body, requestId, key }));
    }),
    route(getRuleBackfill, async ({ params }) =>
      answer(200, await mounted().get(params.projectId, params.ruleId, params.backfillId)),
    ),
    route(listRuleBackfills, async ({ params, query }) => answer(200, await mounted().list(params.projectId, query))),
    route(cancelRuleBackfill, async ({ params }) =>
      answer(200, await mounted().cancel(params.projectId, params.backfillId)),
    ),
  ];
}
