import { InferenceError } from './inference-error.ts';

export interface BeatOptions {
  /** Aborts the work; its reason is what is thrown then. */
  signal?: AbortSignal | undefined;
  /** Called while the work goes on, so that whoever does it is not taken for stuck. */
  beat?: (() => void) | undefined;
  beatIntervalMs: number;
}

export interface DeadlineOptions extends BeatOptions {
  deadlineMs: number;
}

/** The part of the age at which a process is taken for stuck that one call may take, with its repeats and repairs. */
const SHARE_OF_BEAT_AGE = 0.8;

/** How long a call may take in a process that is taken for stuck after so long without a beat. */
export function callDeadlineMs(maxBeatAgeMs: number): number {
  return Math.floor(maxBeatAgeMs * SHARE_OF_BEAT_AGE);
}

/** Beats now, and again and again until it is stopped. */
export function startBeats({ beat, beatIntervalMs }: BeatOptions): { stop(): void } {
  const beats = beat === undefined ? undefined : setInterval(beat, beatIntervalMs);
  beat?.();
  return { stop: () => clearInterval(beats) };
}

/**
 * Runs work under a deadline, beating meanwhile; throws UNAVAILABLE once it is over. What hangs has an end all the same:
 * the deadline ends it, and the beats with it.
 */
export async function withinDeadline<T>(
  { deadlineMs, signal, beat, beatIntervalMs }: DeadlineOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), deadlineMs);
  const beats = startBeats({ signal, beat, beatIntervalMs });
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
    beats.stop();
  }
}
