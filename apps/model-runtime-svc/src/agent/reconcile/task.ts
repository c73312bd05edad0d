import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Fence, Progress, ProgressReport, Resource, ResourceStore, Retry } from '../../resources/index.ts';

/** A failure with a reason for the people who look at the record; anything else is told only in the log. */
export class TaskFailure extends Error {
  override readonly name = 'TaskFailure';
  readonly code: string;
  readonly retry: Retry;

  constructor(code: string, message: string, options: { retry?: Retry; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retry = options.retry ?? 'never';
  }
}

/** What a worker has to tell and to obey while it works on one incarnation. */
export interface Task {
  /** Aborted when the incarnation is no longer wanted, or the agent stops. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly fence: Fence;
  stage(stage: string | null): void;
  progress(progress: Progress): void;
  line(text: string): void;
  /** It is there. A worker that returns without having said so is taken to have said it. */
  ready(outcome: unknown): Promise<void>;
  /** It has worked for long enough that earlier failures no longer count. */
  stable(): Promise<void>;
  /** Nobody has used it for long enough: the work ends, and with it the signal. */
  goIdle(): Promise<void>;
  /** Whether the signal says that the agent ends, rather than that the incarnation is no longer wanted. */
  isAgentEnding(): boolean;
  /** Nobody is to call it any more; the next agent takes it up. */
  suspend(): Promise<void>;
}

/** Makes and removes the resources of one kind. */
export interface Worker {
  /** Resolves once the thing is there, or, of a service, once it has ended because the signal said so. */
  present(resource: Resource, task: Task): Promise<unknown>;
  /** Resolves once nothing of this incarnation, or of an earlier one, is left. */
  absent(resource: Resource, task: Task): Promise<void>;
}

const FLUSH_EVERY_MS = 500;
const MAX_LINE_LENGTH = 500;
const MAX_WAITING_LINES = 200;

/** Gathers what a worker tells and writes it now and then, so that chatter costs the database little. */
export function createReporter(store: ResourceStore, fence: Fence, clock: Clock, logger: Logger) {
  let waiting: { stage?: string | null; progress?: Progress; lines: string[] } = { lines: [] };
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function write(): void {
    timer = undefined;
    const report: ProgressReport = waiting;
    waiting = { lines: [] };
    writing = writing.then(async () => {
      // What is lost here is told again by the next report, or by the end of the work.
      await store.report(fence, report, clock.now()).catch((error: unknown) => {
        logger.warn({ err: error, resourceId: fence.id }, 'progress could not be written');
      });
    });
  }

  function soon(): void {
    timer ??= setTimeout(write, FLUSH_EVERY_MS);
  }

  return {
    stage(stage: string | null) {
      waiting.stage = stage;
      soon();
    },
    progress(progress: Progress) {
      waiting.progress = progress;
      soon();
    },
    line(text: string) {
      if (waiting.lines.length >= MAX_WAITING_LINES) waiting.lines.shift();
      waiting.lines.push(text.slice(0, MAX_LINE_LENGTH));
      soon();
    },
    /** Writes what waits; what comes after that is written by itself. */
    async flush() {
      if (timer !== undefined) {
        clearTimeout(timer);
        write();
      }
      await writing;
    },
  };
}
