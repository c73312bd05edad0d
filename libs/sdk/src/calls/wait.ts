import { TimeoutError } from '../errors.ts';
import { sleep } from '../http/sleep.ts';
import type { CallOptions } from '../options.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** Options of a call that waits for asked work. */
export interface WaitOptions<T> extends Pick<CallOptions, 'project' | 'signal' | 'headers'> {
  /** Time after which it is no longer waited for, in milliseconds; the work goes on. */
  timeoutMs?: number | undefined;
  /** Hears of the work each time that it has been read. */
  onProgress?: ((current: T) => void) | undefined;
}

/** Reads asked work until it has ended, at growing intervals. */
export async function waitFor<T>(
  read: () => Promise<T>,
  { member, values }: { member: string; values: readonly string[] },
  { signal, timeoutMs = Infinity, onProgress }: WaitOptions<T>,
): Promise<T> {
  const until = Date.now() + timeoutMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const current = await read();
    onProgress?.(current);
    if (values.includes((current as Record<string, string>)[member] ?? '')) return current;
    if (Date.now() + pauseMs > until) throw new TimeoutError(`Not done within ${timeoutMs} ms; it goes on`);
    await sleep(pauseMs, signal);
  }
}
