import type { Leave } from './limiter.ts';

/**
 * Limits the number of running tasks in total and per key: a key that has used its share leaves the other places to
 * others.
 */
export interface FairLimiter {
  /**
   * Runs a task in a place that counts for each of its keys. Tasks with the same keys begin in the order of arrival;
   * different keys take turns. Rejects with the signal's reason if it is aborted before a place is free; a task that
   * has begun keeps its place until it ends.
   */
  run<T>(keys: readonly string[], task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Resolves once such a place is taken; rejects with the signal's reason if it is aborted before. */
  enter(keys: readonly string[], signal?: AbortSignal): Promise<Leave>;
  /** Number of occupied places. */
  readonly running: number;
}

export interface FairLimiterOptions {
  /** Maximum number of running tasks. */
  places: number;
  /** Maximum number of them that count for one key. */
  share: number;
}

interface Lane {
  keys: readonly string[];
  waiting: Set<() => void>;
}

/**
 * Creates a limiter with at most `places` tasks at a time, and at most `share` for each key. A place that a waiting
 * task may take is never left empty.
 */
export function createFairLimiter({ places, share }: FairLimiterOptions): FairLimiter {
  const runningOf = new Map<string, number>();
  /** Waiting callers by their keys; the lane that had its turn last comes last. */
  const lanes = new Map<string, Lane>();
  let running = 0;

  function hasRoom(keys: readonly string[]): boolean {
    return running < places && keys.every((key) => (runningOf.get(key) ?? 0) < share);
  }

  function count(keys: readonly string[], by: 1 | -1): void {
    running += by;
    for (const key of new Set(keys)) {
      const ofKey = (runningOf.get(key) ?? 0) + by;
      if (ofKey === 0) runningOf.delete(key);
      else runningOf.set(key, ofKey);
    }
  }

  /**
   * Lets waiting tasks in. One freed place can admit several: one task takes the place, others the freed capacity of
   * its keys.
   */
  function letIn(): void {
    for (const [name, lane] of [...lanes]) {
      const [takeTurn] = lane.waiting;
      if (takeTurn === undefined || !hasRoom(lane.keys)) continue;
      lanes.delete(name);
      lanes.set(name, lane);
      takeTurn();
    }
  }

  function leaveOnce(keys: readonly string[]): Leave {
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      count(keys, -1);
      letIn();
    };
  }

  async function enter(keys: readonly string[], signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted();
    const name = JSON.stringify(keys);
    const lane = lanes.get(name) ?? { keys, waiting: new Set() };
    // Callers that already wait with these keys have no room; otherwise they would not wait.
    if (hasRoom(keys)) {
      count(keys, 1);
      return leaveOnce(keys);
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUpWaiting = () => {
      lane.waiting.delete(takeTurn);
      if (lane.waiting.size === 0) lanes.delete(name);
      signal?.removeEventListener('abort', giveUp);
    };
    const takeTurn = () => {
      giveUpWaiting();
      count(keys, 1);
      resolve();
    };
    const giveUp = () => {
      giveUpWaiting();
      reject(signal?.reason as Error);
    };
    lane.waiting.add(takeTurn);
    lanes.set(name, lane);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise;
    return leaveOnce(keys);
  }

  return {
    enter,
    async run(keys, task, signal) {
      const leave = await enter(keys, signal);
      try {
        return await task();
      } finally {
        leave();
      }
    },
    get running() {
      return running;
    },
  };
}
