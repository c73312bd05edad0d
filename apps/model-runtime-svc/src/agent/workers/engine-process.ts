import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { bootId, EngineHostAway, type EngineChild, type EngineHost } from '../../engine-host/index.ts';
import { TaskFailure } from '../reconcile/task.ts';
import type { EngineDriver, LaunchContext } from '../engines/driver.ts';
import { freePort, isPortTaken } from '../processes/ports.ts';
import { markOf, type ProcessRecord, type ProcessRecords } from '../processes/records.ts';
import type { EngineKeys } from '../../resources/index.ts';
import { untilReady } from './readiness.ts';

export interface EngineProcessOptions {
  driver: EngineDriver;
  host: EngineHost;
  context: Omit<LaunchContext, 'port' | 'apiKey' | 'host'>;
  resourceId: string;
  generation: number;
  /** Where it listens, and where it is reached. */
  listenHost: string;
  reachHost: string;
  keys: EngineKeys;
  records: ProcessRecords;
  signal: AbortSignal;
  /** How long it may take to end when it is told to; the child's own by default. */
  stopGraceMs?: number | undefined;
  onLine(line: string): void;
}

/** An engine that is ready. */
export interface EngineProcess {
  readonly child: EngineChild;
  readonly host: string;
  readonly port: number;
  readonly nonce: string;
  /** The last line that it printed. */
  lastLine(): string;
  /** Ends it, and whatever it has started; resolves once nothing of it is left. */
  stop(): Promise<void>;
}

const PORT_ATTEMPTS = 5;

/** Starts an engine and waits until it is ready; leaves nothing behind where that fails. */
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
      // Between the look for a free port and the engine's own bind, somebody else may have taken it.
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
  // Before there is a process: one that is started and not recorded would be nobody's.
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

/** Why an engine ended, as far as it said so. */
export function exitFailure({ lastLine }: Pick<EngineProcess, 'lastLine'>, retry: 'backoff' | 'never'): TaskFailure {
  const said = lastLine().trim();
  return new TaskFailure(
    'ENGINE_EXITED',
    said === '' ? 'The engine ended' : `The engine ended; it said last: ${said.slice(0, 300)}`,
    { retry },
  );
}
