import { setTimeout as sleep } from 'node:timers/promises';
import type { Desired, Resource, ResourceKind } from '../../resources/index.ts';
import { createPlaces } from './places.ts';
import { createWork, type WorkOptions } from './work.ts';

export interface ReconcilerOptions extends WorkOptions {
  node: string;
  /** Number of resources of each kind that are made at the same time; projects take turns. */
  concurrency: Readonly<Record<ResourceKind, number>>;
  /** Interval between looks at all resources, independent of commands; by default 2,000. */
  sweepMs?: number;
}

export interface Reconciler {
  /** Reports that a resource may have changed. */
  poke(id: string): void;
  /** Milliseconds since the last complete look at all resources; for liveness. */
  heartbeatAgeMs(): number;
  /** Ends all work, services after they have finished their answers; the next incarnation of the agent continues it. */
  stop(): Promise<void>;
}

interface Running {
  generation: number;
  desired: Desired;
  controller: AbortController;
  finished: Promise<void>;
}

const SWEEP_MS = 2_000;

/**
 * Brings the node to the state that projects want. The database holds that state; commands only say where to look. Each
 * resource has one piece of work at a time: work that is no longer wanted ends before other work begins.
 */
export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { node, store, clock, logger, epoch } = options;
  const work = createWork(options);
  const running = new Map<string, Running>();
  const dirty = new Set<string>();
  const looping = new Map<string, Promise<void>>();
  const place = createPlaces(options.concurrency);
  const stopping = new AbortController();
  const isAgentEnding = () => stopping.signal.aborted;
  let heartbeatAtMs = Date.now();

  function poke(id: string): void {
    if (isAgentEnding()) return;
    dirty.add(id);
    if (looping.has(id)) return;
    const turns = loop(id).finally(() => looping.delete(id));
    looping.set(id, turns);
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
    // A later incarnation of the agent has taken over; this one is about to learn it.
    if (resource.settled || resource.claimEpoch > epoch || isAgentEnding()) return;
    if (resource.nextAttemptAt !== null && resource.nextAttemptAt > clock.now()) return;
    begin(resource);
  }

  function begin(resource: Resource): void {
    const controller = new AbortController();
    const { id, generation, desired } = resource;
    const finished = (async () => {
      const leave = await place(resource, controller.signal);
      try {
        if (!controller.signal.aborted) {
          await work(resource, controller.signal, { onReady: leave, onChanged: () => poke(id), isAgentEnding });
        }
      } catch (error) {
        logger.error({ err: error, resourceId: id, generation }, 'work on a resource could not be recorded');
      } finally {
        leave();
        running.delete(id);
      }
    })();
    running.set(id, { generation, desired, controller, finished });
    // The record may have changed while the work ran.
    void finished.then(() => poke(id));
  }

  async function sweep(): Promise<void> {
    try {
      const unsettled = await store.unsettled(node);
      for (const id of new Set([...unsettled.map(({ id }) => id), ...running.keys()])) poke(id);
      heartbeatAtMs = Date.now();
    } catch (error) {
      logger.warn({ err: error }, 'the resources of the node could not be read');
    }
  }

  const sweeping = repeat(sweep, options.sweepMs ?? SWEEP_MS, stopping.signal);
  return {
    poke,
    heartbeatAgeMs: () => Date.now() - heartbeatAtMs,
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

async function repeat(work: () => Promise<void>, pauseMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
