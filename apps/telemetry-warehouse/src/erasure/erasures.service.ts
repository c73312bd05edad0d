import type { Doer, Erasure } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { AuditTrail, Database } from '@clew/persistence';
import type { ErasureDocument } from './erasure.model.ts';
import type { ErasureStore } from './erasures.store.ts';

export type ErasuresService = ReturnType<typeof createErasuresService>;

export interface ErasuresDependencies {
  database: Pick<Database, 'withTransaction'>;
  erasures: Pick<ErasureStore, 'request' | 'find'>;
  audit: AuditTrail;
  clock: Clock;
}

/** Requests erasures and reports on them. */
export function createErasuresService({ database, erasures, audit, clock }: ErasuresDependencies) {
  return {
    /** Starts an erasure, or joins the one that is running; resolves with its id. */
    async request(
      { projectId, conversationId }: Pick<ErasureDocument, 'projectId' | 'conversationId'>,
      doer: Doer,
    ): Promise<string> {
      const { kind, id } = doer.actor;
      if (kind === 'bootstrap') throw new Error('bootstrap erases nothing');
      const requestedBy = { kind: kind === 'system' ? ('service' as const) : kind, id };
      return await database.withTransaction(async (tx) => {
        const requested = { projectId, conversationId, requestedBy, nowMs: clock.now() };
        const { erasureId, hasBegun } = await erasures.request(tx, requested);
        const target = { kind: 'erasure', id: erasureId } as const;
        // The conversation is not named: its name may be what is to be erased.
        if (hasBegun) {
          const deed = { projectId, action: 'erasure.requested', target } as const;
          await audit.record(tx, doer, deed, { before: null, after: null });
        }
        return erasureId;
      });
    },
    async get(projectId: string, erasureId: string): Promise<Erasure> {
      const found = await erasures.find(projectId, erasureId);
      if (found === undefined) throw new AppError('NOT_FOUND', 'Erasure not found');
      const { _id, conversationId, requestedAt, requestedBy, completedAt, position, services } = found;
      const status = position === null ? 'completed' : 'running';
      return { id: _id, conversationId, status, requestedAt, requestedBy, completedAt, services };
    },
  };
}
