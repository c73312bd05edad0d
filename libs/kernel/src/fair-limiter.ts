import type { Leave } from './limiter.ts';

/** So many at a time in all, and so many of each key: a key that takes its share leaves the other places to the others. */
export interface FairLimiter {
  /**
   * Runs a task in a place that counts for each of its keys. Those with the same keys begin in the order in which they
   * came, and those with others in turn. Rejects with the signal's reason where it is aborted before there is a place;
   * a task that was begun keeps its place until it has ended.
   */
  run<T>(keys: readonly string[], task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Resolves once there is such a place; rejects with the signal's reason where it is aborted before. */
  enter(keys: readonly string[], signal?: AbortSignal): Promise<Leave>;
  /** How many have a place. */
  readonly running: number;
}

export interface FairLimiterOptions {
  /** How many run at a time. */
  places: number;
  /** How many of them may count for one key. */
  share: number;
}

interface Lane {
  keys: readonly string[];
  waiting: Set<() => void>;
}

/** Lets at most `places` in at a time, and of each key at most `share`. A place that somebody may take is never empty. */
export function createFairLimiter({ places, share }: FairLimiterOptions): FairLimiter {
  const runningOf = new Map<string, number>();
  /** Those who wait, by their keys; the lane that had its turn last comes last. */
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

  /** A place that was left can make room for several: one takes the place, others take what it left of its keys. */
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
    // Whoever waits with these keys has no room, or would not wait.
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
