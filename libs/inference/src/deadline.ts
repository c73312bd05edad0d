import { InferenceError } from './inference-error.ts';

export interface HeartbeatOptions {
  /** Aborts the work, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Heartbeat, called during the work, so that the process is not considered stuck. */
  heartbeat?: (() => void) | undefined;
  heartbeatIntervalMs: number;
}

export interface DeadlineOptions extends HeartbeatOptions {
  deadlineMs: number;
}

/** Share of the maximum heartbeat age that one call may take, including its retries and repairs. */
const SHARE_OF_HEARTBEAT_AGE = 0.8;

/** Maximum duration of a call in a process that is considered stuck after this long without a heartbeat. */
export function callDeadlineMs(maxHeartbeatAgeMs: number): number {
  return Math.floor(maxHeartbeatAgeMs * SHARE_OF_HEARTBEAT_AGE);
}

/** Gives a heartbeat now, and then at intervals until it is stopped. */
export function startHeartbeats({ heartbeat, heartbeatIntervalMs }: HeartbeatOptions): { stop(): void } {
  const heartbeats = heartbeat === undefined ? undefined : setInterval(heartbeat, heartbeatIntervalMs);
  heartbeat?.();
  return { stop: () => clearInterval(heartbeats) };
}

/**
 * Runs work with a deadline, giving heartbeats meanwhile; throws UNAVAILABLE when the deadline has passed. Work that
 * hangs also ends then, and the heartbeats with it.
 */
export async function withinDeadline<T>(
  { deadlineMs, signal, heartbeat, heartbeatIntervalMs }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), deadlineMs);
  const heartbeats = startHeartbeats({ signal, heartbeat, heartbeatIntervalMs });
  try {
    return await work(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  } catch (error) {
    signal?.throwIfAborted();
    if (!late.signal.aborted) throw error;
    throw new InferenceError('UNAVAILABLE', `There was no answer within ${deadlineMs} ms`, {
      isTimeout: true,
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    heartbeats.stop();
  }
}
