import type { AuditFilter, AuditRecord } from '@clew/contracts';
import type { CursorKey, Slice, SliceRequest } from '@clew/kernel';
import { readSlice, type Database, type KeysetList } from '@clew/persistence';
import { auditModel, type AuditDocument } from './audit.model.ts';

export const AUDIT: KeysetList = {
  name: 'audit',
  order: [
    ['at', -1],
    ['_id', -1],
  ],
};

/** Entries that a caller may see: those of the workspace, or of the projects that it opens. */
export interface AuditReach {
  workspaceId: string;
  projectIds: 'all' | readonly string[];
}

export interface AuditStore {
  list(reach: AuditReach, filter: AuditFilter, slice: SliceRequest): Promise<Slice<AuditRecord>>;
  /** Reads all entries in the order of the list, some at a time, so that a slow reader holds no cursor of the server. */
  walk(reach: AuditReach, filter: AuditFilter): AsyncGenerator<AuditRecord>;
  /** Removes entries from before a time, up to a limit; resolves with how many it removed. */
  removeBefore(atMs: number, limit: number): Promise<number>;
}

const ENTRIES_AT_A_TIME = 500;

export function createAuditStore(database: Database): AuditStore {
  const model = auditModel(database.connection);
  const list: AuditStore['list'] = (reach, filter, slice) =>
    readSlice(model, AUDIT.order, { filter: conditionOf(reach, filter), ...slice }, recordOf);
  return {
    list,
    async *walk(reach, filter) {
      let after: CursorKey | undefined;
      do {
        const { items, next } = await list(reach, filter, { limit: ENTRIES_AT_A_TIME, after });
        yield* items;
        after = next;
      } while (after !== undefined);
    },
    async removeBefore(atMs, limit) {
      const expired = await model.find({ at: { $lt: atMs } }, { _id: 1 }, { sort: { at: 1 }, limit }).lean();
      if (expired.length === 0) return 0;
      const { deletedCount } = await model.deleteMany({ _id: { $in: expired.map(({ _id }) => _id) } });
      return deletedCount;
    },
  };
}

function conditionOf({ workspaceId, projectIds }: AuditReach, filter: AuditFilter): object {
  const { actor, action, target, projectId, after, before } = filter;
  const isArea = action !== undefined && !action.includes('.');
  return {
    workspaceId,
    ...projectCondition(projectIds, projectId),
    ...(actor === undefined ? {} : { 'actor.id': actor }),
    ...(action === undefined ? {} : { [isArea ? 'area' : 'action']: action }),
    ...(target === undefined ? {} : { 'target.id': target }),
    ...(after === undefined && before === undefined
      ? {}
      : { at: { ...(after === undefined ? {} : { $gte: after }), ...(before === undefined ? {} : { $lt: before }) } }),
  };
}

/** A project that the caller does not open is answered like one without entries. */
function projectCondition(reach: AuditReach['projectIds'], projectId: string | undefined): object {
  if (reach === 'all') return projectId === undefined ? {} : { projectId };
  if (projectId === undefined) return { projectId: reach.length === 1 ? reach[0] : { $in: [...reach] } };
  return { projectId: reach.includes(projectId) ? projectId : { $in: [] } };
}

function recordOf({ _id, ...entry }: AuditDocument): AuditRecord {
  // Entries of earlier versions lack what was an empty object.
  const { at, action, actor, target, projectId, address, requestId, before = {}, after = {} } = entry;
  return { id: _id, at, action, actor, target, projectId, address, requestId, before, after };
}
