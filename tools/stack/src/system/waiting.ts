import { setTimeout as delay } from 'node:timers/promises';

export { delay };

/** Polls until the answer is true; an exception counts as "not yet". Ends when the signal aborts. */
export async function pollUntil(
  isReady: () => Promise<boolean>,
  options: { intervalMs: number; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    options.signal.throwIfAborted();
    const ready = await isReady().catch(() => false);
    if (ready) return;
    await delay(options.intervalMs, undefined, { signal: options.signal });
  }
}

/** Whether a GET of the address answers 200 (or another expected status) in time. */
export async function answersWith(url: string, expectedStatus = 200, timeoutMs = 2_000): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await response.body?.cancel();
    return response.status === expectedStatus;
  } catch {
    return false;
  }
}

/**
 * Runs tasks in parallel. If one fails, the others are aborted and awaited, so that nothing keeps running after the
 * error is thrown. The first error is thrown.
 */
export async function allOrAbort<T extends readonly unknown[]>(
  tasks: { [K in keyof T]: Promise<T[K]> },
  abort: (reason: unknown) => void,
): Promise<T> {
  let failure: { error: unknown } | undefined;
  const watched = tasks.map((task) =>
    task.catch((error: unknown) => {
      failure ??= { error };
      abort(error);
    }),
  );
  const results = await Promise.all(watched);
  if (failure !== undefined) throw failure.error;
  return results as unknown as T;
}
