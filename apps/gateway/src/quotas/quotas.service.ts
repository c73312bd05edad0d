import { quotasChanged, type Quotas } from '@clew/contracts';
import { AppError, notFound, type Clock } from '@clew/kernel';
import type { Database, Outbox, Transaction } from '@clew/persistence';
import { isDeepStrictEqual } from 'node:util';
import { actorOf, type AuditLog } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import type { ProjectStore } from '../projects/projects.store.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { QuotasStore, StoredQuotas } from './quotas.store.ts';

export interface QuotasDependencies {
  database: Database;
  projects: Pick<ProjectStore, 'get'>;
  quotas: QuotasStore;
  audit: AuditLog;
  outbox: Outbox;
  clock: Clock;
}

export interface QuotasService {
  get(caller: GatewayCaller, projectId: string): Promise<StoredQuotas>;
  /** Replaces the quotas; `check` gets the current ones, and throws if those are not the ones expected. */
  set(
    caller: GatewayCaller,
    target: { projectId: string; quotas: Quotas },
    origin: RequestOrigin,
    check: (stored: StoredQuotas) => void,
  ): Promise<StoredQuotas>;
}

export function createQuotasService(deps: QuotasDependencies): QuotasService {
  const { database, projects, quotas: store, audit, outbox, clock } = deps;

  async function requireProject(workspaceId: string, projectId: string, tx?: Transaction): Promise<void> {
    if ((await projects.get(workspaceId, projectId, tx)) === undefined) throw notFound();
  }

  return {
    async get({ workspaceId }, projectId) {
      await requireProject(workspaceId, projectId);
      return await store.get(projectId);
    },
    async set({ workspaceId, projectIds, principal }, { projectId, quotas }, origin, check) {
      if (projectIds !== 'all') {
        throw new AppError('FORBIDDEN', 'Only a credential for all projects of the workspace can set quotas');
      }
      return await database.withTransaction(async (tx) => {
        await requireProject(workspaceId, projectId, tx);
        const before = await store.get(projectId, tx);
        check(before);
        if (isDeepStrictEqual(before.quotas, quotas)) return before;
        const after = { quotas, revision: before.revision + 1, updatedAt: clock.now() };
        await store.put(tx, projectId, after);
        await outbox.append(tx, quotasChanged, {
          ...{ key: `${projectId}:${after.revision}`, projectId, requestId: origin.requestId },
          ...{ occurredAt: after.updatedAt, data: { quotas, revision: after.revision } },
        });
        await audit.append(tx, {
          ...{ workspaceId, projectId, actor: actorOf(principal), action: 'project-quotas.changed', ...origin },
          target: { kind: 'settings', id: projectId },
          ...{ ...changedFields(before.quotas, quotas), at: after.updatedAt },
        });
        return after;
      });
    },
  };
}

function changedFields(before: Quotas, after: Quotas) {
  const names = (Object.keys(after) as (keyof Quotas)[]).filter((name) => before[name] !== after[name]);
  const among = (quotas: Quotas) => Object.fromEntries(names.map((name) => [name, quotas[name]]));
  return { before: among(before), after: among(after) };
}
