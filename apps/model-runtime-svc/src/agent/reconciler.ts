import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Clock } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Desired, Resource, ResourceKind, Retry } from '../resources/resource.ts';
import type { Fence, ResourceStore } from '../resources/resources.store.ts';
import { createSlots } from './slots.ts';
import { createReporter, TaskFailure, type Task, type Worker } from './task.ts';

export interface ReconcilerOptions {
  node: string;
  store: ResourceStore;
  workers: Readonly<Record<ResourceKind, Worker>>;
  clock: Clock;
  logger: Logger;
  /** This incarnation of the agent, as it claimed the node. */
  epoch: number;
  /** How many of a kind are made at the same time; the others wait in their order. */
  concurrency: Readonly<Record<ResourceKind, number>>;
  /** How often everything is looked at, whatever the commands say; 2,000 by default. */
  sweepMs?: number;
}

export interface Reconciler {
  /** Something about a resource may have changed. */
  poke(id: string): void;
  /** Milliseconds since everything was last looked at; for liveness. */
  beatAgeMs(): number;
  /** Ends all work; what was begun is taken up by the next incarnation of the agent. */
  stop(): Promise<void>;
}

interface Running {
  generation: number;
  desired: Desired;
  controller: AbortController;
  finished: Promise<void>;
}

const WRITE_RETRY_MS = 500;

/**
 * Brings what the node has to what projects want of it. The database says what is wanted; commands only say where to
 * look. One piece of work at a time for each resource: what is no longer wanted is ended before anything else begins.
 */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { node, store, workers, clock, logger, epoch } = options;
  const running = new Map<string, Running>();
  const dirty = new Set<string>();
  const looping = new Map<string, Promise<void>>();
  const slots = {
    engine: createSlots(options.concurrency.engine),
    artifact: createSlots(options.concurrency.artifact),
    service: createSlots(options.concurrency.service),
  };
  const stopping = new AbortController();
  let beatAtMs = Date.now();

  function poke(id: string): void {
    if (stopping.signal.aborted) return;
    dirty.add(id);
    if (!looping.has(id))
      looping.set(
        id,
        loop(id).finally(() => looping.delete(id)),
      );
  }

  async function loop(id: string): Promise<void> {
    while (dirty.delete(id)) {
      try {
        const resource = await store.get(id);
        if (resource !== undefined && resource.node === node) await adjust(resource);
      } catch (error) {
        // The next sweep looks again.
        logger.warn({ err: error, resourceId: id }, 'a resource could not be looked at');
      }
    }
  }

  async function adjust(resource: Resource): Promise<void> {
    const { id, generation, desired } = resource;
    const current = running.get(id);
    if (current?.generation === generation && current.desired === desired) return;
    current?.controller.abort();
    await current?.finished;
    // A later incarnation of the agent has taken over: this one is about to be told so.
    if (resource.settled || resource.claimEpoch > epoch || stopping.signal.aborted) return;
    if (resource.nextAttemptAt !== null && resource.nextAttemptAt > clock.now()) return;
    begin(resource);
  }

  function begin(resource: Resource): void {
    const controller = new AbortController();
    const { id, generation, desired } = resource;
    const finished = (async () => {
      // What has to go waits for nobody.
      const giveSlot = desired === 'absent' ? () => undefined : await slots[resource.kind].take(controller.signal);
      try {
        if (!controller.signal.aborted) await work(resource, controller, giveSlot);
      } catch (error) {
        logger.error({ err: error, resourceId: id, generation }, 'work on a resource could not be recorded');
      } finally {
        giveSlot();
        running.delete(id);
      }
    })();
    running.set(id, { generation, desired, controller, finished });
    // The record may have changed while the work ran.
    void finished.then(() => poke(id));
  }

  async function work(wanted: Resource, controller: AbortController, giveSlot: () => void): Promise<void> {
    const claimed = await store.claim(wanted, epoch, clock.now());
    if (claimed === undefined) return;
    const { fence, resource } = claimed;
    const worker = workers[resource.kind];
    const reporter = createReporter(store, fence, clock, logger);
    let isReady = false;
    const task: Task = {
      signal: controller.signal,
      logger: logger.child({ resourceId: resource.id, generation: resource.generation }),
      fence,
      stage: reporter.stage,
      progress: reporter.progress,
      line: reporter.line,
      async ready(outcome) {
        await reporter.flush();
        isReady = true;
        giveSlot();
        const settled = resource.kind !== 'service';
        await persist(controller.signal, () => store.succeed(fence, outcome, settled, clock.now()));
      },
      async stable() {
        resource.failureCount = 0;
        await persist(controller.signal, () => store.report(fence, { failureCount: 0 }, clock.now()));
      },
      async goIdle() {
        await persist(controller.signal, () => store.goIdle(fence, clock.now()));
        poke(resource.id);
      },
    };
    try {
      if (fence.desired === 'absent') {
        await worker.absent(resource, task);
        await reporter.flush();
        await persist(controller.signal, () => store.removed(fence, clock.now()));
        return;
      }
      const outcome = await worker.present(resource, task);
      if (!isReady && !controller.signal.aborted) await task.ready(outcome);
    } catch (error) {
      await reporter.flush();
      if (!controller.signal.aborted) await recordFailure(resource, fence, error, controller.signal);
    }
  }

  async function recordFailure(resource: Resource, fence: Fence, error: unknown, signal: AbortSignal): Promise<void> {
    const { id: resourceId, generation } = resource;
    const known = error instanceof TaskFailure || error instanceof AppError ? error : undefined;
    logger[known === undefined ? 'error' : 'warn']({ err: error, resourceId, generation }, 'work on a resource failed');
    // What cannot be removed is tried again for ever, and so is what nobody foresaw.
    const retry: Retry =
      known === undefined || fence.desired === 'absent'
        ? 'backoff'
        : known instanceof TaskFailure
          ? known.retry
          : 'never';
    const problem = {
      code: known?.code ?? 'INTERNAL_ERROR',
      message: known?.message ?? 'Something went wrong; the log of the runtime agent has the details',
    };
    await persist(signal, () => store.fail(resource, fence, problem, retry, clock.now()));
  }

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

  async function sweep(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const unsettled = await store.unsettled(node);
        for (const id of new Set([...unsettled.map(({ id }) => id), ...running.keys()])) poke(id);
        beatAtMs = Date.now();
      } catch (error) {
        logger.warn({ err: error }, 'the resources of the node could not be read');
      }
      await sleep(options.sweepMs ?? 2_000, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  const sweeping = sweep();
  return {
    poke,
    beatAgeMs: () => Date.now() - beatAtMs,
    async stop() {
      stopping.abort();
      await sweeping;
      await Promise.all(looping.values());
      const all = [...running.values()];
      for (const { controller } of all) controller.abort();
      await Promise.all(all.map(({ finished }) => finished));
    },
  };
}
