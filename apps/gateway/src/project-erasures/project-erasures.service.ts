import { projectDeleted, type ProjectErasure } from '@clew/contracts';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database, Outbox } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { CloseKeys } from './close-keys.ts';
import { projectErasureId, type ProjectErasureStore } from './project-erasures.store.ts';

export interface ProjectErasuresDependencies {
  database: Database;
  projects: ProjectStore;
  erasures: Pick<ProjectErasureStore, 'insert' | 'find'>;
  audit: AuditLog;
  outbox: Pick<Outbox, 'append'>;
  closeKeys: CloseKeys;
  clock: Clock;
  /** Called when the project is closed and its run has begun. */
  onDeleted: (projectId: string) => void;
}

export type ProjectErasuresService = ReturnType<typeof createProjectErasuresService>;

/** Deletes projects and reports on their deletion. */
export function createProjectErasuresService(deps: ProjectErasuresDependencies) {
  const { database, projects, erasures, audit, outbox, closeKeys, clock } = deps;
  return {
    /**
     * Closes a project immediately and starts the removal of its data; a project that is already being deleted keeps
     * its run. Resolves with the run's id.
     */
    async request(caller: GatewayCaller, projectId: string, origin: RequestOrigin): Promise<string> {
      requireWholeWorkspace(caller);
      const { workspaceId } = caller;
      const { kind, id } = caller.principal;
      const nowMs = clock.now();
      const erasureId = await database.withTransaction(async (tx) => {
        const project = await projects.remove(tx, workspaceId, projectId);
        if (project === undefined) return undefined;
        await closeKeys(tx, projectId, origin.requestId);
        await audit.append(tx, {
          ...{ workspaceId, projectId, actor: { kind, id }, action: 'project.deleted', ...origin },
          target: { kind: 'project', id: projectId },
          ...{ before: { name: project.name }, after: null, at: nowMs },
        });
        await outbox.append(tx, projectDeleted, {
          ...{ key: projectId, projectId, requestId: origin.requestId, occurredAt: nowMs, data: { projectId } },
        });
        return await erasures.insert(tx, { projectId, workspaceId, requestedBy: { kind, id }, nowMs });
      });
      if (erasureId === undefined) return (await find(caller, projectErasureId(projectId)))._id;
      deps.onDeleted(projectId);
      return erasureId;
    },
    async get(caller: GatewayCaller, erasureId: string): Promise<ProjectErasure> {
      requireWholeWorkspace(caller);
      const { _id, projectId, requestedAt, requestedBy, completedAt, position, services } = await find(
        caller,
        erasureId,
      );
      const status = position === null ? 'completed' : 'running';
      return { id: _id, projectId, status, requestedAt, requestedBy, completedAt, services };
    },
  };

  async function find({ workspaceId }: GatewayCaller, erasureId: string) {
    const found = await erasures.find(workspaceId, erasureId);
    if (found === undefined) throw notFound();
    return found;
  }
}

function requireWholeWorkspace({ projectIds }: GatewayCaller): void {
  if (projectIds === 'all') return;
  throw new AppError('FORBIDDEN', 'Only a credential for all projects of the workspace can delete one');
}
