import { getSnapshot, resolveSnapshot } from '@clew/contracts';
import { answer, route, type Route } from '@clew/http';
import type { SnapshotsService } from './snapshots.service.ts';

/** Internal: for the processes that evaluate conversations. */
export function snapshotRoutes(snapshots: SnapshotsService): Route[] {
  return [
    route(getSnapshot, async ({ params }) => answer(200, await snapshots.read(params.projectId, params.snapshotId))),
    route(resolveSnapshot, async ({ params, body }) => {
      const { projectId, conversationId } = params;
      const { throughMs, traceIds } = body;
      const snapshotId = await snapshots.resolve({ projectId, conversationId, throughMs, traceIds });
      return answer(200, { snapshotId, conversationId });
    }),
  ];
}
