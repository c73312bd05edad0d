import { setTimeout as sleep } from 'node:timers/promises';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@clew/kernel';
import type { EngineKeys, Resource, ResourceStore, ServiceOutcome, ServiceSpec } from '@clew/model-runtime';
import type { EngineHost } from '../engine-host/index.ts';
import type { Home } from '../node/index.ts';
import { TaskFailure, type Task, type Worker } from '../reconcile/index.ts';
import type { EngineDrivers } from '../drivers/index.ts';
import { isInstalled } from './engine-worker.ts';
import type { ProcessRecords } from '../processes/index.ts';
import type { Transfer } from '../transfer/index.ts';
import { exitFailure, startEngine, type EngineProcess } from './engine-process.ts';
import { untilAtRest, watchIdleness } from './idleness.ts';
import { intactFiles } from './intact-files.ts';

export interface ServiceWorkerOptions {
  home: Home;
  host: EngineHost;
  drivers: EngineDrivers;
  store: ResourceStore;
  transfer: Pick<Transfer, 'verifyArtifact'>;
  records: ProcessRecords;
  keys: EngineKeys;
  clock: Clock;
  /** Address at which engines listen, and address at which they are reached. */
  listenHost: string;
  reachHost: string;
  /** Makes the agent look at a resource immediately. */
  poke(resourceId: string): void;
  stopGraceMs?: number | undefined;
  /** Time for a service to finish its answers when the agent is told to end. */
  drainMs: number;
  /** Time without work after which an engine has finished its answers; by default 2,000. */
  atRestMs?: number | undefined;
  /** Time without a crash after which earlier crashes no longer count; by default 60,000. */
  stableAfterMs?: number;
}

const STABLE_AFTER_MS = 60_000;

/** Starts engines for the profiles that projects want to use, and keeps them running. */
export function createServiceWorker(options: ServiceWorkerOptions): Worker {
  const { home, host, drivers, keys, records } = options;

  async function start(resource: Resource, spec: ServiceSpec, task: Task): Promise<EngineProcess> {
    const { engine, engineId, engineGeneration, artifactId, artifactGeneration, modelId, memoryEstimateBytes } = spec;
    const engineFolder = home.folderOf({ id: engineId, kind: 'engine' }, engineGeneration);
    const driver = drivers[engine];
    if (!(await isInstalled(engineFolder, driver.version))) {
      throw new TaskFailure('ENGINE_NOT_INSTALLED', `${engine} is not installed on the node any more`);
    }
    const artifactFolder = home.folderOf({ id: artifactId, kind: 'artifact' }, artifactGeneration);
    const files = await intactFiles({ ...options, spec, artifactFolder, task });
    requireMemory(memoryEstimateBytes, (await host.memory()).availableBytes);
    await home.removeUpTo(resource, resource.generation);
    const cacheFolder = join(engineFolder, 'cache');
    await mkdir(cacheFolder, { recursive: true });
    await host.share(cacheFolder);
    return startEngine({
      ...{ driver, host, keys, records },
      context: {
        ...{ engineFolder, files, cacheFolder, alias: modelId },
        ...{ artifactFolder, runFolder: home.folderOf(resource, resource.generation) },
        ...{ category: spec.category, contextLength: spec.contextLength, parallelRequests: spec.parallelRequests },
      },
      resourceId: resource.id,
      generation: resource.generation,
      listenHost: options.listenHost,
      reachHost: options.reachHost,
      signal: task.signal,
      onLine: task.line,
      stopGraceMs: options.stopGraceMs,
    });
  }

  return {
    async present(resource, task) {
      const spec = resource.spec as ServiceSpec;
      try {
        const running = await start(resource, spec, task);
        const { host, port, nonce } = running;
        await task.ready({ host, port, nonce } satisfies ServiceOutcome);
        await keep(running, spec, resource, task, options);
      } catch (error) {
        // A service that has worked before is tried again; one that never has is left for a person to look at.
        const hasWorked = resource.outcome !== null;
        if (error instanceof TaskFailure && hasWorked && error.retry === 'never') {
          throw new TaskFailure(error.code, error.message, { retry: 'backoff', cause: error });
        }
        throw error;
      }
    },
    absent: (resource) => home.removeUpTo(resource, resource.generation),
  };
}

function requireMemory(neededBytes: number | null, available: number): void {
  if (neededBytes === null || neededBytes <= available) return;
  const mib = (bytes: number) => Math.ceil(bytes / 1024 / 1024);
  throw new TaskFailure(
    'INSUFFICIENT_MEMORY',
    `${mib(neededBytes)} MiB of memory are needed and ${mib(available)} MiB are free`,
  );
}

/** Resolves when the signal has ended the service; rejects if it ends by itself. */
async function keep(
  running: EngineProcess,
  spec: ServiceSpec,
  resource: Resource,
  task: Task,
  options: ServiceWorkerOptions,
): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([task.signal, over.signal]);
  void sleep(options.stableAfterMs ?? STABLE_AFTER_MS, undefined, { signal }).then(
    () => task.stable(),
    () => undefined,
  );
  void watchIdleness({
    ...options,
    resourceId: resource.id,
    child: running.child,
    idleTimeoutMs: spec.idleTimeoutMs,
    signal,
  }).then((isIdle) => (isIdle ? task.goIdle() : undefined));
  const told = new Promise<void>((resolve) => task.signal.addEventListener('abort', () => resolve(), { once: true }));
  const exited = running.child.exited.then(() => {
    if (!task.signal.aborted) throw exitFailure(running, 'backoff');
  });
  try {
    if (!task.signal.aborted) await Promise.race([told, exited]);
    if (task.isAgentEnding()) await Promise.race([finishAnswers(running, task, options), exited]);
  } finally {
    over.abort();
    exited.catch(() => undefined);
    await running.stop();
  }
}

/** Waits for calls in progress, since engines break off their answers when they are told to end. */
async function finishAnswers(
  { child }: EngineProcess,
  task: Task,
  { clock, drainMs, atRestMs }: Pick<ServiceWorkerOptions, 'clock' | 'drainMs' | 'atRestMs'>,
): Promise<void> {
  await task.suspend();
  await untilAtRest({ clock, child, atRestMs, signal: AbortSignal.timeout(drainMs) });
}
