import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import type { EngineKeys } from '@clew/model-runtime';
import { bootId, EngineHostAway, type EngineChild, type EngineHost } from '../engine-host/index.ts';
import { TaskFailure } from '../reconcile/index.ts';
import type { EngineDriver, LaunchContext } from '../drivers/index.ts';
import { freePort, isPortTaken, markOf, type ProcessRecord, type ProcessRecords } from '../processes/index.ts';
import { untilReady } from './readiness.ts';

export interface EngineProcessOptions {
  driver: EngineDriver;
  host: EngineHost;
  context: Omit<LaunchContext, 'port' | 'apiKey' | 'host'>;
  resourceId: string;
  generation: number;
  /** Address at which the engine listens, and address at which it is reached. */
  listenHost: string;
  reachHost: string;
  keys: EngineKeys;
  records: ProcessRecords;
  signal: AbortSignal;
  /** Time for the engine to end when told to; by default that of the child process. */
  stopGraceMs?: number | undefined;
  onLine(line: string): void;
}

/** Engine that is ready. */
export interface EngineProcess {
  readonly child: EngineChild;
  readonly host: string;
  readonly port: number;
  readonly nonce: string;
  /** Returns the last line that the engine printed. */
  lastLine(): string;
  /** Ends the engine and all its descendants; resolves when none is left. */
  stop(): Promise<void>;
}

const PORT_ATTEMPTS = 5;

/** Starts an engine and waits until it is ready; leaves nothing behind if that fails. */
export async function startEngine(options: EngineProcessOptions): Promise<EngineProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const started = await launch(options, await freePort(options.listenHost));
    try {
      await readyOrExited(started, options);
      return started;
    } catch (error) {
      const { child, port } = started;
      const exitedByItself = !child.isAlive();
      await started.stop();
      // Another process may have taken the port between the search for a free one and the engine's own bind.
      const lostItsPort = exitedByItself && (await isPortTaken(options.listenHost, port));
      if (!lostItsPort || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function launch(options: EngineProcessOptions, port: number): Promise<EngineProcess> {
  const { driver, context, resourceId, generation, records, keys, reachHost } = options;
  const nonce = randomBytes(16).toString('hex');
  const apiKey = keys(nonce);
  const plan = driver.launch({ ...context, host: options.listenHost, port, apiKey });
  await mkdir(context.runFolder, { recursive: true });
  if (plan.settings !== undefined) await writeFile(plan.settings.file, JSON.stringify(plan.settings.content));
  const record: ProcessRecord = { resourceId, generation, port, nonce, pid: null, startTime: null, bootId: bootId() };
  // The record is written before the process starts: a process without a record would belong to nobody.
  await records.write(record);
  let last = '';
  const child = await options.host
    .start({
      ...{ command: plan.command, env: plan.env, mark: markOf(record) },
      cwd: context.runFolder,
      onLine(line) {
        last = line.replaceAll(apiKey, '[key]');
        options.onLine(last);
      },
    })
    .catch(async (error: unknown) => {
      await records.remove(nonce);
      if (error instanceof EngineHostAway) throw error;
      throw new TaskFailure('ENGINE_START_FAILED', 'The program of the engine cannot be started', { cause: error });
    });
  await records.write({ ...record, pid: child.pid, startTime: child.startTime });
  return {
    ...{ child, port, nonce, host: reachHost },
    lastLine: () => last,
    async stop() {
      await child.stop(options.stopGraceMs);
      await records.remove(nonce);
    },
  };
}

async function readyOrExited(started: EngineProcess, options: EngineProcessOptions): Promise<void> {
  const { driver, keys, context, listenHost, signal } = options;
  const { child, host, port, nonce } = started;
  const waiting = new AbortController();
  const apiKey = keys(nonce);
  const { probe } = driver.launch({ ...context, host: listenHost, port, apiKey });
  const ready = untilReady({
    ...{ apiKey, probe, timeoutMs: driver.startTimeoutMs },
    baseUrl: `http://${host}:${port}`,
    signal: AbortSignal.any([signal, waiting.signal]),
  });
  const exited = child.exited.then(() => {
    throw exitFailure(started, 'never');
  });
  try {
    await Promise.race([ready, exited]);
    signal.throwIfAborted();
  } finally {
    waiting.abort();
    await ready.catch(() => undefined);
    exited.catch(() => undefined);
  }
}

/** Builds the failure for an engine that ended, with the last line it printed. */
export function exitFailure({ lastLine }: Pick<EngineProcess, 'lastLine'>, retry: 'backoff' | 'never'): TaskFailure {
  const said = lastLine().trim();
  return new TaskFailure(
    'ENGINE_EXITED',
    said === '' ? 'The engine ended' : `The engine ended; it said last: ${said.slice(0, 300)}`,
    { retry },
  );
}
