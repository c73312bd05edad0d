import { getQuotas, setQuotas } from '@clew/contracts';
import { answer, preconditionOf, route, type Route } from '@clew/http';
import { callerOf } from '../caller.ts';
import { originOf } from '../request-origin.ts';
import type { QuotasService } from './quotas.service.ts';
import { quotasEtag, type StoredQuotas } from './quotas.store.ts';

export function quotaRoutes(quotas: QuotasService): Route[] {
  return [
    route(getQuotas, async ({ params: { projectId } }, context) =>
      reply(projectId, await quotas.get(callerOf(context), projectId)),
    ),
    route(setQuotas, async ({ params: { projectId }, body }, context) => {
      const precondition = preconditionOf(context.request);
      const check = (stored: StoredQuotas) => precondition.check(quotasEtag(projectId, stored));
      const target = { projectId, quotas: body };
      return reply(projectId, await quotas.set(callerOf(context), target, originOf(context), check));
    }),
  ];
}

function reply(projectId: string, stored: StoredQuotas) {
  const { quotas, updatedAt } = stored;
  return answer(200, { quotas, updatedAt }, { etag: quotasEtag(projectId, stored) });
}
