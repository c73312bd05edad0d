import { LRUCache } from 'lru-cache';
import { getStorageState, type StorageState } from '@clew/contracts';
import type { ServiceClient } from '@clew/http';
import { quotaExceeded, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';

export interface StorageGateDependencies {
  /** Owner of the figures: it measures what all services store. */
  warehouse: Pick<ServiceClient, 'call'>;
  clock: Clock;
  logger: Logger;
}

/** Throws QUOTA_EXCEEDED if the project has used up its quota of stored bytes. */
export type RequireRoom = (projectId: string) => Promise<void>;

/** Time for which a figure is trusted; it is measured from time to time only. */
const TRUSTED_MS = 1_000;
const MAX_PROJECTS = 10_000;

/** Asks before Examples are taken. Without an answer they are: a quota is no reason to lose data. */
export function createStorageGate({ warehouse, clock, logger }: StorageGateDependencies): RequireRoom {
  const known = new LRUCache<string, Promise<StorageState | undefined>>({ max: MAX_PROJECTS, ttl: TRUSTED_MS });

  async function ask(projectId: string): Promise<StorageState | undefined> {
    try {
      return await warehouse.call(getStorageState, { params: { projectId } });
    } catch (error) {
      logger.warn({ err: error }, 'could not ask what a project stores');
      return undefined;
    }
  }

  return async (projectId) => {
    const asked = known.get(projectId) ?? ask(projectId);
    known.set(projectId, asked, { noUpdateTTL: true });
    const state = await asked;
    if (state === undefined || state.limit === null || state.measuredAt === null) return;
    const used = state.telemetryBytes + state.datasetBytes;
    if (used < state.limit) return;
    throw quotaExceeded({ quota: 'storedBytes', limit: state.limit, used, opensAtMs: null }, clock.now());
  };
}
