import type { Erasure } from '@clew/contracts';
import { AppError, page, type Clock, type CursorCodec, type PageQuery } from '@clew/kernel';
import { statusOf, type ErasureDocument } from './erasure.model.ts';
import { ERASURES, type ErasureStore } from './erasures.store.ts';

interface ErasuresQuery extends PageQuery {
  status?: Erasure['status'] | undefined;
}

export type ErasuresService = ReturnType<typeof createErasuresService>;

export interface ErasuresDependencies {
  erasures: Pick<ErasureStore, 'request' | 'find' | 'list'>;
  cursors: CursorCodec;
  clock: Clock;
}

/** Requests erasures and reports on them. */
export function createErasuresService({ erasures, cursors, clock }: ErasuresDependencies) {
  return {
    async request(request: Pick<ErasureDocument, 'projectId' | 'conversationId' | 'requestedBy'>): Promise<string> {
      return await erasures.request({ ...request, nowMs: clock.now() });
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
