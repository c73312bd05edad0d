/** Lets a number of tasks run at a time for each key, the others in the order in which they came. */
export interface Limiter {
  /** Rejects with the signal's reason where it is aborted before the task's turn. */
  run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

interface Lane {
  running: number;
  waiting: (() => void)[];
}

export function createLimiter(maxAtATime: number): Limiter {
  const lanes = new Map<string, Lane>();

  async function enter(lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (lane.running < maxAtATime) {
      lane.running += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      lane.waiting.splice(lane.waiting.indexOf(resolve), 1);
      reject(signal?.reason as Error);
    };
    lane.waiting.push(resolve);
    signal?.addEventListener('abort', leave, { once: true });
    await promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  return {
    async run(key, task, signal) {
      const lane = lanes.get(key) ?? { running: 0, waiting: [] };
      lanes.set(key, lane);
      await enter(lane, signal);
      try {
        return await task();
      } finally {
        const next = lane.waiting.shift();
        // The place is handed over, so that nobody who comes now gets ahead of who waits.
        if (next !== undefined) next();
        else lane.running -= 1;
        if (lane.running === 0) lanes.delete(key);
      }
    },
  };
}
