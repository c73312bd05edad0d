import { AppError, newId, notFound, type Clock, type CursorCodec, type CursorScope } from '@clew/kernel';
import type { Project } from '@clew/contracts';
import type { Database } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { ProjectStore } from './projects.store.ts';

export interface ProjectsService {
  create(caller: GatewayCaller, name: string, origin: RequestOrigin): Promise<Project>;
  get(caller: GatewayCaller, projectId: string): Promise<Project>;
  list(
    caller: GatewayCaller,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<{ projects: Project[]; nextCursor: string | null }>;
}

export interface ProjectsDependencies {
  database: Database;
  projects: ProjectStore;
  audit: AuditLog;
  cursors: CursorCodec;
  clock: Clock;
}

export function createProjectsService({
  database,
  projects,
  audit,
  cursors,
  clock,
}: ProjectsDependencies): ProjectsService {
  return {
    async create(caller, name, origin) {
      if (caller.projectIds !== 'all') {
        throw new AppError('FORBIDDEN', 'Only a credential for all projects of the workspace can make one');
      }
      const now = clock.now();
      const project = { id: newId('prj'), workspaceId: caller.workspaceId, name, createdAt: now, updatedAt: now };
      await database.withTransaction(async (tx) => {
        await projects.insert(tx, project);
        await audit.append(tx, {
          workspaceId: caller.workspaceId,
          actorId: caller.principal.id,
          action: 'project.created',
          targetId: project.id,
          ...origin,
          before: null,
          after: { name },
          at: now,
        });
      });
      return project;
    },
    async get(caller, projectId) {
      const project = await projects.get(caller.workspaceId, projectId);
      if (project === undefined) throw notFound();
      return project;
    },
    async list(caller, { limit, cursor }) {
      const scope: CursorScope = { list: 'projects', projectId: caller.workspaceId, filters: {} };
      const after = cursor === undefined ? undefined : cursors.decode(scope, cursor);
      if (cursor !== undefined && after === undefined) throw new AppError('INVALID_CURSOR', 'The cursor is not valid');
      const found = await projects.list(caller.workspaceId, { among: caller.projectIds, limit: limit + 1, after });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      const more = found.length > limit && last !== undefined;
      return { projects: page, nextCursor: more ? cursors.encode(scope, [last.createdAt, last.id]) : null };
    },
  };
}
