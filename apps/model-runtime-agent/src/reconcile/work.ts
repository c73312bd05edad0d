import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Fence, Resource, ResourceKind, ResourceStore, Retry } from '@clew/model-runtime';
import { EngineHostAway } from '../engine-host/index.ts';
import { isDiskFull } from '../transfer/index.ts';
import { createReporter, TaskFailure, type Task, type Worker } from './task.ts';

export interface WorkOptions {
  store: ResourceStore;
  workers: Readonly<Record<ResourceKind, Worker>>;
  clock: Clock;
  logger: Logger;
  /** Incarnation of the agent: the epoch with which it claimed the node. */
  epoch: number;
}

export interface WorkCallbacks {
  /** Called when the resource is ready; the work that continues needs no place any more. */
  onReady(): void;
  /** Called when this process has changed the record. */
  onChanged(): void;
  isAgentEnding(): boolean;
}

/** Works on one incarnation until it is there, gone or has failed, and records the result. */
export type DoWork = (wanted: Resource, signal: AbortSignal, callbacks: WorkCallbacks) => Promise<void>;

const WRITE_RETRY_MS = 500;

export function createWork(options: WorkOptions): DoWork {
  const { store, workers, clock, logger, epoch } = options;

  /** Writes a result as soon as the database accepts it; gives up when nobody wants the result any more. */
  async function persist(signal: AbortSignal, write: () => Promise<boolean>): Promise<void> {
    while (!signal.aborted) {
      try {
        await write();
        return;
      } catch (error) {
        logger.warn({ err: error }, 'a result could not be written yet');
        await sleep(WRITE_RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async function recordFailure(resource: Resource, fence: Fence, error: unknown, signal: AbortSignal): Promise<void> {
    const { id: resourceId, generation } = resource;
    const known = knownFailure(error);
    // The id links the record, which people see, to the log.
    const failureId = randomUUID();
    const level = known === undefined ? 'error' : 'warn';
    logger[level]({ err: error, failureId, resourceId, generation }, 'work on a resource failed');
    const problem = known === undefined ? unknownProblem(failureId) : { code: known.code, message: known.message };
    const retry = retryOf(known, fence);
    await persist(signal, () => store.fail(resource, fence, problem, retry, clock.now()));
  }

  return async (wanted, signal, { onReady, onChanged, isAgentEnding }) => {
    const claimed = await store.claim(wanted, epoch, clock.now());
    if (claimed === undefined) return;
    const { fence, resource } = claimed;
    const { id: resourceId, generation, kind } = resource;
    const reporter = createReporter(store, fence, clock, logger);
    let isReady = false;
    const task: Task = {
      ...{ signal, fence, stage: reporter.stage, progress: reporter.progress, line: reporter.line },
      logger: logger.child({ resourceId, generation }),
      async ready(outcome) {
        await reporter.flush();
        isReady = true;
        onReady();
        await persist(signal, () => store.succeed(fence, outcome, kind !== 'service', clock.now()));
      },
      async stable() {
        resource.failureCount = 0;
        await persist(signal, () => store.report(fence, { failureCount: 0 }, clock.now()));
      },
      async goIdle() {
        await persist(signal, () => store.goIdle(fence, clock.now()));
        onChanged();
      },
      isAgentEnding,
      async suspend() {
        await store.suspend(fence, clock.now()).catch((error: unknown) => {
          logger.warn({ err: error, resourceId }, 'callers could not be told that the service ends');
        });
      },
    };
    try {
      if (fence.desired === 'absent') {
        await workers[kind].absent(resource, task);
        await reporter.flush();
        await persist(signal, () => store.removed(fence, clock.now()));
        return;
      }
      const outcome = await workers[kind].present(resource, task);
      if (!isReady && !signal.aborted) await task.ready(outcome);
    } catch (error) {
      await reporter.flush();
      if (!signal.aborted) await recordFailure(resource, fence, error, signal);
    }
  };
}

/** Error shown to people for a failure that they cannot interpret. */
function unknownProblem(failureId: string) {
  const message = `Something went wrong; the log of the runtime agent has the details, at failureId ${failureId}`;
  return { code: 'INTERNAL_ERROR', message };
}

/** Decides whether another attempt may help. */
function retryOf(known: TaskFailure | AppError | undefined, { desired }: Fence): Retry {
  // A removal is tried again without limit.
  if (desired === 'absent' || known === undefined) return 'backoff';
  return known instanceof TaskFailure ? known.retry : 'never';
}

function knownFailure(error: unknown): TaskFailure | AppError | undefined {
  if (error instanceof TaskFailure || error instanceof AppError) return error;
  if (error instanceof EngineHostAway) {
    return new TaskFailure('ENGINE_HOST_AWAY', error.message, { retry: 'backoff', cause: error });
  }
  if (isDiskFull(error)) return new AppError('INSUFFICIENT_DISK', 'The models volume is full', { cause: error });
  return undefined;
}
