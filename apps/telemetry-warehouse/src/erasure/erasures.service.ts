import type { Erasure } from '@clew/contracts';
import { AppError, type Clock } from '@clew/kernel';
import type { ErasureDocument } from './erasure.model.ts';
import type { ErasureStore } from './erasures.store.ts';

export type ErasuresService = ReturnType<typeof createErasuresService>;

export interface ErasuresDependencies {
  erasures: Pick<ErasureStore, 'request' | 'find'>;
  clock: Clock;
}

/** Requests erasures and reports on them. */
export function createErasuresService({ erasures, clock }: ErasuresDependencies) {
  return {
    async request(request: Pick<ErasureDocument, 'projectId' | 'conversationId' | 'requestedBy'>): Promise<string> {
      return await erasures.request({ ...request, nowMs: clock.now() });
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
