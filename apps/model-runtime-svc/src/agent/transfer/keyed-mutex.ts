/** Lets one caller at a time work on a key; the others wait their turn, and may give up waiting. */
export interface KeyedMutex {
  run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Whether anybody works or waits. */
  isBusy(): boolean;
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<void>>();
  let callers = 0;
  return {
    async run(key, signal, work) {
      const before = last.get(key);
      const { promise: done, resolve } = Promise.withResolvers<void>();
      // Whoever comes next waits for both: this one may give up while the one before still works.
      const turn = Promise.all([before, done]).then(() => undefined);
      last.set(key, turn);
      callers += 1;
      try {
        await abortable(before, signal);
        return await work();
      } finally {
        resolve();
        callers -= 1;
        void turn.then(() => last.get(key) === turn && last.delete(key));
      }
    },
    isBusy: () => callers > 0,
  };
}

async function abortable(waiting: Promise<void> | undefined, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (waiting === undefined) return;
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([waiting, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
