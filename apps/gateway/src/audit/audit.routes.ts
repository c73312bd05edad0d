import { exportAudit, listAudit, listProjectAudit, STREAMED, type AuditFilter } from '@clew/contracts';
import { answer, route, sendJsonLines, type Route } from '@clew/http';
import { page, type CursorCodec, type PageQuery } from '@clew/kernel';
import { callerOf } from '../caller.ts';
import { AUDIT, type AuditReach, type AuditStore } from './audit.store.ts';

export function auditRoutes(audit: Pick<AuditStore, 'list' | 'walk'>, cursors: CursorCodec): Route[] {
  async function list(reach: AuditReach, { limit, cursor, ...filter }: PageQuery & AuditFilter) {
    const filters = { ...filter, among: reach.projectIds };
    const { items, nextCursor } = await page(
      cursors,
      AUDIT,
      { projectId: reach.workspaceId, filters, limit, cursor },
      (slice) => audit.list(reach, filter, slice),
    );
    return { entries: items, nextCursor };
  }

  return [
    route(exportAudit, async ({ query }, context) => {
      const { workspaceId, projectIds } = callerOf(context);
      await sendJsonLines(context, 'audit.jsonl', audit.walk({ workspaceId, projectIds }, query));
      return STREAMED;
    }),
    route(listAudit, async ({ query }, context) => {
      const { workspaceId, projectIds } = callerOf(context);
      return answer(200, await list({ workspaceId, projectIds }, query));
    }),
    route(listProjectAudit, async ({ params: { projectId }, query }, context) => {
      const { workspaceId } = callerOf(context);
      return answer(200, await list({ workspaceId, projectIds: [projectId] }, query));
    }),
  ];
}
