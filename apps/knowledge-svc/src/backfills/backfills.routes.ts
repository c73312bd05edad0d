import {
  cancelKnowledgeBackfill,
  createKnowledgeBackfill,
  getKnowledgeBackfill,
  listKnowledgeBackfills,
  listProjectBackfills,
} from '@clew/contracts';
import { answer, idempotencyKeyOf, route, type Route } from '@clew/http';
import type { BackfillsService } from './backfills.service.ts';

export function backfillRoutes(backfills: BackfillsService): Route[] {
  return [
    route(createKnowledgeBackfill, async ({ params, body }, { request, requestId }) =>
      answer(202, await backfills.request({ ...params, ...body, requestId, key: idempotencyKeyOf(request) })),
    ),
    route(listKnowledgeBackfills, async ({ params, query }) => answer(200, await backfills.list(params, query))),
    route(listProjectBackfills, async ({ params, query }) =>
      answer(200, await backfills.listAll(params.projectId, query)),
    ),
    route(getKnowledgeBackfill, async ({ params }) => answer(200, await backfills.get(params))),
    route(cancelKnowledgeBackfill, async ({ params }) => answer(200, await backfills.cancel(params))),
  ];
}
