import type { Database } from '@clew/persistence';
import type { TraceFragment } from './fragment.ts';
import { fragmentCollection } from './fragments.store.ts';

/** Fragment that holds records of calls. */
export type FragmentOfCalls = Required<Pick<TraceFragment, '_id' | 'traceId' | 'callKeys'>>;

/** Finds the fragments of calls by their `callKeysOf`. */
export interface CallStore {
  /** Returns the fragments under any of the keys, in any order; at most `limit`. */
  fragmentsOf(projectId: string, keys: readonly number[], limit: number): Promise<FragmentOfCalls[]>;
  /** Whether there is any fragment under a key. */
  hasAny(projectId: string, key: number): Promise<boolean>;
}

export function createCallStore(database: Database): CallStore {
  const fragments = fragmentCollection(database);
  return {
    async fragmentsOf(projectId, keys, limit) {
      return await fragments
        .find<FragmentOfCalls>(
          { projectId, callKeys: { $in: [...keys] } },
          { projection: { traceId: 1, callKeys: 1 }, limit },
        )
        .toArray();
    },
    async hasAny(projectId, key) {
      return (await fragments.findOne({ projectId, callKeys: key }, { projection: { _id: 1 } })) !== null;
    },
  };
}
