import { AppError, newId, notFound, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import type { Project } from '@clew/contracts';
import type { Database, Transaction } from '@clew/persistence';
import { actorOf, type AuditLog } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import type { RequestOrigin } from '../request-origin.ts';
import { PROJECTS, type ProjectStore } from './projects.store.ts';

export interface ProjectsService {
  /** Creates a project; `inTransaction` is called in the transaction of its creation. */
  create(
    caller: GatewayCaller,
    name: string,
    origin: RequestOrigin,
    inTransaction?: (tx: Transaction, project: Project) => Promise<void>,
  ): Promise<Project>;
  get(caller: GatewayCaller, projectId: string): Promise<Project>;
  /**
   * Renames a project; `check` gets its current state in the transaction, and throws if that is not the state expected.
   */
  rename(
    caller: GatewayCaller,
    target: { projectId: string; name: string },
    origin: RequestOrigin,
    check: (project: Project) => void,
  ): Promise<Project>;
  list(caller: GatewayCaller, query: PageQuery): Promise<{ projects: Project[]; nextCursor: string | null }>;
}

export interface ProjectsDependencies {
  database: Database;
  projects: ProjectStore;
  audit: AuditLog;
  cursors: CursorCodec;
  clock: Clock;
}

export function createProjectsService(deps: ProjectsDependencies): ProjectsService {
  const { database, projects, audit, cursors, clock } = deps;
  return {
    async create(caller, name, origin, inTransaction) {
      if (caller.projectIds !== 'all') {
        throw new AppError('FORBIDDEN', 'Only a credential for all projects of the workspace can make one');
      }
      const { workspaceId } = caller;
      const now = clock.now();
      const project = { id: newId('prj'), workspaceId, name, createdAt: now, updatedAt: now };
      await database.withTransaction(async (tx) => {
        await projects.insert(tx, project);
        await audit.append(tx, {
          workspaceId,
          projectId: project.id,
          actor: actorOf(caller.principal),
          action: 'project.created',
          target: { kind: 'project', id: project.id },
          ...origin,
          before: null,
          after: { name },
          at: now,
        });
        await inTransaction?.(tx, project);
      });
      return project;
    },
    async get(caller, projectId) {
      const project = await projects.get(caller.workspaceId, projectId);
      if (project === undefined) throw notFound();
      return project;
    },
    rename: ({ workspaceId, principal }, { projectId, name }, origin, check) =>
      database.withTransaction(async (tx) => {
        const before = await projects.get(workspaceId, projectId, tx);
        if (before === undefined) throw notFound();
        check(before);
        if (before.name === name) return before;
        const renamed = { ...before, name, updatedAt: clock.now() };
        await projects.rename(tx, renamed);
        await audit.append(tx, {
          ...{ workspaceId, projectId, actor: actorOf(principal), action: 'project.renamed', ...origin },
          target: { kind: 'project', id: projectId },
          ...{ before: { name: before.name }, after: { name }, at: renamed.updatedAt },
        });
        return renamed;
      }),
    async list({ workspaceId, projectIds }, query) {
      const request = { projectId: workspaceId, filters: { among: projectIds }, ...query };
      const { items, nextCursor } = await page(cursors, PROJECTS, request, (slice) =>
        projects.list(workspaceId, projectIds, slice),
      );
      return { projects: items, nextCursor };
    },
  };
}
