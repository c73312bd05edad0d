/** Gives the place back; further calls have no effect. */
export type Leave = () => void;

/** Limits the number of tasks at a time; the others wait in the order of arrival. */
export interface Limiter {
  /** Resolves once a place is taken; rejects with the signal's reason if it is aborted before. */
  enter(signal?: AbortSignal): Promise<Leave>;
  /** Takes a place if one is free and nobody waits for it. */
  tryEnter(): Leave | undefined;
  /** Runs a task in a place. A task that has begun keeps its place until it ends, even if its signal is aborted. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Number of occupied places. */
  readonly running: number;
}

/** Limiter with a separate limit for each key. */
export interface KeyedLimiter {
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Tells whether anybody has a place, or waits for one. */
  isBusy(): boolean;
}

/** Creates a limiter for at most `maxAtATime` tasks. */
export function createLimiter(maxAtATime: number): Limiter {
  const waiting = new Set<() => void>();
  let running = 0;

  function leaveOnce(): Leave {
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const [next] = waiting;
      // The place is handed over directly, so that no newcomer overtakes a waiting task.
      if (next === undefined) running -= 1;
      else next();
    };
  }

  function tryEnter(): Leave | undefined {
    if (running >= maxAtATime) return undefined;
    running += 1;
    return leaveOnce();
  }

  async function enter(signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted();
    const leave = tryEnter();
    if (leave !== undefined) return leave;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const takeTurn = () => {
      waiting.delete(takeTurn);
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      waiting.delete(takeTurn);
      reject(signal?.reason as Error);
    };
    waiting.add(takeTurn);
    signal?.addEventListener('abort', giveUp, { once: true });
    await promise;
    return leaveOnce();
  }

  return {
    enter,
    tryEnter,
    async run(task, signal) {
      const leave = await enter(signal);
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

/** Creates a limiter for at most `maxAtATime` tasks per key: with one, a mutex. */
export function createKeyedLimiter(maxAtATime: number): KeyedLimiter {
  const lanes = new Map<string, { limiter: Limiter; callers: number }>();
  return {
    async run(key, task, signal) {
      const lane = lanes.get(key) ?? { limiter: createLimiter(maxAtATime), callers: 0 };
      lanes.set(key, lane);
      lane.callers += 1;
      try {
        return await lane.limiter.run(task, signal);
      } finally {
        lane.callers -= 1;
        if (lane.callers === 0) lanes.delete(key);
      }
    },
    isBusy: () => lanes.size > 0,
  };
}
