import type { Stoppable } from './run-service.ts';
import type { WorkEnded } from './work.ts';

/** What waits for a part of a process. */
export interface Backlog {
  /** Messages of a queue, rows of an outbox, rows that are due. Counting may end at a bound. */
  waiting: number;
  /** At most; 0 when nothing waits. */
  oldestAgeMs: number;
  /** Dead letters, or rows that were given up: they wait for a person. */
  givenUp: number;
}

/** What goes on by itself in a process: a consumer, a loop, a relay. Whoever runs the process watches all of them. */
export interface Part extends Stoppable {
  /** Whether it takes work of its own accord: all such parts of a process take no more from the same moment on. */
  readonly takesWork?: true;
  /**
   * Milliseconds since it last showed that it turns, in success or not. What it waits for outside of the process (a
   * broker, a database) must not make it grow, since a restart of the process would not help.
   */
  beatAgeMs?(): number;
  /** Rejects while nobody can tell. */
  backlog?(): Promise<Backlog>;
  /** From now on each piece of its work is told as it ends. */
  onWorkEnded?(tell: WorkEnded): void;
}
