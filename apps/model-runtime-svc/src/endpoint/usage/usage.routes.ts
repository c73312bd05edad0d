import { listModelUsage, sumInferenceUsage, type DayUsage } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { page, type CursorCodec } from '@clew/kernel';
import type { UsageDocument } from './usage.model.ts';
import type { UsageSums } from './usage-sums.store.ts';
import { USAGE, type UsageStore } from './usage.store.ts';

export function usageRoutes(usage: Pick<UsageStore, 'list'>, sums: UsageSums, cursors: CursorCodec): Route[] {
  return [
    route(listModelUsage, async ({ params: { projectId }, query: { from, to, ...query } }) => {
      const range = { from, to };
      const { items, nextCursor } = await page(cursors, USAGE, { projectId, filters: range, ...query }, (slice) =>
        usage.list(projectId, range, slice),
      );
      return answer(200, { usage: items.map(toDayUsage), nextCursor });
    }),
    route(sumInferenceUsage, async ({ body }) => answer(200, await sums.sum(body))),
  ];
}

function toDayUsage({ _id, projectId: _projectId, ...usage }: UsageDocument): DayUsage {
  return usage;
}
