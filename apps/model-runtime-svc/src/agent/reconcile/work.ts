import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Fence, Resource, ResourceKind, ResourceStore, Retry } from '../../resources/index.ts';
import { EngineHostAway } from '../../engine-host/index.ts';
import { isDiskFull } from '../transfer/disk-space.ts';
import { createReporter, TaskFailure, type Task, type Worker } from './task.ts';

export interface WorkOptions {
  store: ResourceStore;
  workers: Readonly<Record<ResourceKind, Worker>>;
  clock: Clock;
  logger: Logger;
  /** This incarnation of the agent, as it claimed the node. */
  epoch: number;
}

export interface WorkCallbacks {
  /** It is there; what goes on needs no slot any more. */
  onReady(): void;
  /** The record was changed from here. */
  onChanged(): void;
  isAgentEnding(): boolean;
}

/** Works on one incarnation until it is there, gone or has failed, and records which. */
export type DoWork = (wanted: Resource, signal: AbortSignal, callbacks: WorkCallbacks) => Promise<void>;

const WRITE_RETRY_MS = 500;

export function createWork(options: WorkOptions): DoWork {
  const { store, workers, clock, logger, epoch } = options;

  /** Writes once the database takes it; gives up where nobody wants the result any more. */
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
    // People see the record and not the log: what they can quote from the one is found in the other.
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

/** What people are told of a failure that has no meaning for them. */
function unknownProblem(failureId: string) {
  const message = `Something went wrong; the log of the runtime agent has the details, at failureId ${failureId}`;
  return { code: 'INTERNAL_ERROR', message };
}

/** Whether another attempt may help. */
function retryOf(known: TaskFailure | AppError | undefined, { desired }: Fence): Retry {
  // What cannot be removed is tried again for ever.
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
