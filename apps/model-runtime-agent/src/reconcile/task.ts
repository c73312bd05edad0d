import type { Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Fence, Progress, ProgressReport, Resource, ResourceStore, Retry } from '@clew/model-runtime';

/** Failure with a reason for people who read the record; other errors are described only in the log. */
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

/** Callbacks and signal for a worker while it works on one incarnation. */
export interface Task {
  /** Aborted when the incarnation is no longer wanted, or when the agent stops. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly fence: Fence;
  stage(stage: string | null): void;
  progress(progress: Progress): void;
  line(text: string): void;
  /** Reports that the resource is ready. If a worker returns without this call, the resource counts as ready. */
  ready(outcome: unknown): Promise<void>;
  /** Reports that the resource has worked for so long that earlier failures no longer count. */
  stable(): Promise<void>;
  /** Reports that nobody has used the resource for its idle time: the work ends, and the signal is aborted. */
  goIdle(): Promise<void>;
  /** Whether the signal was aborted because the agent ends, and not because the incarnation is no longer wanted. */
  isAgentEnding(): boolean;
  /** Stops new calls to the resource; the next agent starts it again. */
  suspend(): Promise<void>;
}

/** Creates and removes the resources of one kind. */
export interface Worker {
  /** Resolves when the resource is there; for a service, when it has ended because of the signal. */
  present(resource: Resource, task: Task): Promise<unknown>;
  /** Resolves when nothing of this incarnation, or of an earlier one, is left. */
  absent(resource: Resource, task: Task): Promise<void>;
}

const FLUSH_EVERY_MS = 500;
const MAX_LINE_LENGTH = 500;
const MAX_WAITING_LINES = 200;

/** Collects reports of a worker and writes them periodically, so that frequent reports cost the database little. */
export function createReporter(store: ResourceStore, fence: Fence, clock: Clock, logger: Logger) {
  let waiting: { stage?: string | null; progress?: Progress; lines: string[] } = { lines: [] };
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function write(): void {
    timer = undefined;
    const report: ProgressReport = waiting;
    waiting = { lines: [] };
    writing = writing.then(async () => {
      // A lost report is repeated by the next one, or by the result of the work.
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
    /** Writes the waiting reports now; later ones are written by the timer. */
    async flush() {
      if (timer !== undefined) {
        clearTimeout(timer);
        write();
      }
      await writing;
    },
  };
}
