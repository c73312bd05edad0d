import type { Doer, Erasure } from '@clew/contracts';
import { AppError, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import type { AuditTrail, Database } from '@clew/persistence';
import { statusOf, type ErasureDocument } from './erasure.model.ts';
import { ERASURES, type ErasureStore } from './erasures.store.ts';

interface ErasuresQuery extends PageQuery {
  status?: Erasure['status'] | undefined;
}

export type ErasuresService = ReturnType<typeof createErasuresService>;

export interface ErasuresDependencies {
  database: Pick<Database, 'withTransaction'>;
  erasures: Pick<ErasureStore, 'request' | 'find' | 'list'>;
  audit: AuditTrail;
  cursors: CursorCodec;
  clock: Clock;
}

/** Requests erasures and reports on them. */
export function createErasuresService({ database, erasures, audit, cursors, clock }: ErasuresDependencies) {
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
      return erasureView(found);
    },
    async list(projectId: string, { status, limit, cursor }: ErasuresQuery) {
      const request = { projectId, filters: { status }, limit, cursor };
      const { items, nextCursor } = await page(cursors, ERASURES, request, (slice) =>
        erasures.list(projectId, status, slice),
      );
      return { erasures: items.map(erasureView), nextCursor };
    },
  };
}

function erasureView(erasure: ErasureDocument): Erasure {
  const { _id, conversationId, requestedAt, requestedBy, completedAt, services } = erasure;
  return { id: _id, conversationId, status: statusOf(erasure), requestedAt, requestedBy, completedAt, services };
}
