import { listModelUsage, type DayUsage } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import { AppError, type CursorCodec } from '@clew/kernel';
import { keysetKey } from '@clew/persistence';
import type { UsageDocument } from './usage.model.ts';
import { USAGE_SORT, type UsageStore } from './usage.store.ts';

export function usageRoutes(usage: Pick<UsageStore, 'list'>, cursors: CursorCodec): Route[] {
  return [
    route(listModelUsage, async ({ params: { projectId }, query: { cursor, from, to, limit } }) => {
      const scope = { list: 'usage', projectId, filters: { from, to } };
      const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
      if (cursor !== undefined && after === undefined) throw new AppError('INVALID_CURSOR', 'The cursor is not valid');
      const found = await usage.list(projectId, { from, to, limit: limit + 1, after });
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      const hasMore = found.length > limit && last !== undefined;
      const nextCursor = hasMore ? cursors.encode(scope, keysetKey(USAGE_SORT, last)) : null;
      return answer(200, { usage: shown.map(toDayUsage), nextCursor });
    }),
  ];
}

function toDayUsage({ _id, projectId: _projectId, ...usage }: UsageDocument): DayUsage {
  return usage;
}
