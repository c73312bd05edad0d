import type { Stoppable } from './run-service.ts';
import type { WorkEnded } from './work.ts';

/** Pending work of a background task. */
export interface Backlog {
  /** Messages of a queue, rows of an outbox, or scheduled tasks that are due. Counting may end at a limit. */
  waiting: number;
  /** Upper limit of the age; 0 when nothing waits. */
  oldestAgeMs: number;
  /** Dead letters, or tasks that were given up: they wait for a person. */
  givenUp: number;
}

/** Background task of a process: a consumer, a loop, a relay. The runner of the process watches all of them. */
export interface BackgroundTask extends Stoppable {
  /** Whether it takes work on its own: all such tasks of a process stop taking work at the same moment. */
  readonly takesWork?: true;
  /**
   * Milliseconds since its last heartbeat, whether its work succeeded or not. Waiting for something outside the process
   * (a broker, a database) must not make it grow, because a restart of the process would not help.
   */
  heartbeatAgeMs?(): number;
  /** Rejects while the backlog is unknown. */
  backlog?(): Promise<Backlog>;
  /** Reports each piece of its work as it ends, from now on. */
  onWorkEnded?(tell: WorkEnded): void;
}
