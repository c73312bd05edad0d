import { setTimeout as sleep } from 'node:timers/promises';

/** Piece of work in hand. */
export interface Work {
  /** Heartbeat, which shows that the work makes progress. */
  heartbeat(): void;
  end(outcome: WorkOutcome): void;
}

/**
 * Outcome; `abandoned` if the result no longer counts, because a connection or a claim was lost, or the process
 * stopped.
 */
export type WorkOutcome = 'done' | 'failed' | 'abandoned';

export type WorkEnded = (ended: { durationMs: number; outcome: WorkOutcome }) => void;

/** Work in hand of a background task: its heartbeat age for liveness, its end for shutdown. */
export class WorkInHand {
  readonly #heartbeatsAtMs = new Map<Work, number>();
  #idle: (() => void) | undefined;
  #tell: WorkEnded | undefined;

  get count(): number {
    return this.#heartbeatsAtMs.size;
  }

  /** Reports each piece of work as it ends, from now on. */
  onEnd(tell: WorkEnded): void {
    this.#tell = tell;
  }

  begin(): Work {
    const beganAtMs = performance.now();
    const work: Work = {
      heartbeat: () => {
        if (this.#heartbeatsAtMs.has(work)) this.#heartbeatsAtMs.set(work, Date.now());
      },
      end: (outcome) => {
        this.#heartbeatsAtMs.delete(work);
        this.#tell?.({ durationMs: performance.now() - beganAtMs, outcome });
        if (this.#heartbeatsAtMs.size === 0) this.#idle?.();
      },
    };
    this.#heartbeatsAtMs.set(work, Date.now());
    return work;
  }

  /** Returns the earliest last heartbeat among the work in hand; undefined if there is none. */
  oldestHeartbeatAtMs(): number | undefined {
    return this.#heartbeatsAtMs.size === 0 ? undefined : Math.min(...this.#heartbeatsAtMs.values());
  }

  /** Resolves with true once nothing is in hand, with false when the time is over. */
  async finished(timeoutMs: number): Promise<boolean> {
    if (this.#heartbeatsAtMs.size === 0) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    this.#idle = () => resolve(true);
    const timeout = new AbortController();
    const late = sleep(timeoutMs, false, { signal: timeout.signal }).catch(() => false);
    const done = await Promise.race([promise, late]);
    timeout.abort();
    return done;
  }
}
