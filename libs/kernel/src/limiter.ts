/** Gives the place back, once. */
export type Leave = () => void;

/** So many at a time; the others wait in the order in which they came. */
export interface Limiter {
  /** Resolves once there is a place; rejects with the signal's reason where it is aborted before. */
  enter(signal?: AbortSignal): Promise<Leave>;
  /** A place where there is one at once, and nobody waits for it. */
  tryEnter(): Leave | undefined;
  /** Runs a task in a place. One that was begun keeps its place until it has ended, whatever its signal says. */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** How many have a place. */
  readonly running: number;
}

/** The same for each key by itself. */
export interface KeyedLimiter {
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Whether anybody has a place, or waits for one. */
  isBusy(): boolean;
}

/** Lets at most `maxAtATime` in at a time. */
export function createLimiter(maxAtATime: number): Limiter {
  const waiting = new Set<() => void>();
  let running = 0;

  function leaveOnce(): Leave {
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      const [next] = waiting;
      // The place is handed over, so that nobody who comes now gets ahead of who waits.
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

/** Lets at most `maxAtATime` in at a time for each key: with one, a mutex. */
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
