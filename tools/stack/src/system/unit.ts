import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findOnPath, tailOfFile } from './files.ts';
import { sendSignal, sendSignalToGroup } from './process-identity.ts';
import type { ProcessRegistry } from './process-registry.ts';
import { delay } from './waiting.ts';

export interface CommandLine {
  file: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
}

/** Tiers in the order in which they are stopped. */
export const STOP_ORDER = ['app', 'broker', 'broker-support', 'database'] as const;
export type Tier = (typeof STOP_ORDER)[number];

export interface UnitSpec {
  name: string;
  tier: Tier;
  /** Called at each start, so that a restart uses current values. */
  command: () => CommandLine;
  logFile: string;
  /** Resolves once the unit serves; the signal aborts when the process ends or the time is over. */
  ready: (signal: AbortSignal) => Promise<void>;
  readyTimeoutMs: number;
  stopGraceMs: number;
  /** Removes leftovers that would block a new start; runs before each start and after a forced stop. */
  clear?: () => Promise<void>;
}

export interface UnitExit {
  /** Outcome such as "exit code 1" or "signal SIGKILL". */
  ending: string;
  /** Whether the unit was told to stop. */
  expected: boolean;
}

/** Process that can be started, stopped and restarted with the same name, ports and data. */
export interface Unit {
  readonly name: string;
  readonly tier: Tier;
  readonly logFile: string;
  pid(): number | undefined;
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
  /** Ends the process at once, without a chance to clean up. */
  kill(): Promise<void>;
  onExit(listener: (exit: UnitExit) => void): void;
}

/** Failure of a process that ended or timed out before it became ready. */
export class UnitFailed extends Error {
  readonly logTail: readonly string[];

  constructor(name: string, reason: string, logFile: string) {
    super(`${name} ${reason}; its log is ${logFile}`);
    this.name = 'UnitFailed';
    this.logTail = tailOfFile(logFile, 15);
  }
}

interface Running {
  child: ChildProcess;
  pid: number;
  stopping: boolean;
  ended: Promise<UnitExit>;
}

/** Creates a unit; nothing is started yet. */
export function createUnit(spec: UnitSpec, registry: ProcessRegistry): Unit {
  const listeners: ((exit: UnitExit) => void)[] = [];
  let running: Running | undefined;

  async function spawnProcess(): Promise<Running> {
    const child = spawnLogged(spec);
    const spawned = await spawnedPid(child, spec);
    registry.add(spec.name, spawned);
    const current: Running = { child, pid: spawned, stopping: false, ended: endOf(child, () => current.stopping) };
    void current.ended.then((exit) => {
      // Ends its child processes too, which a killed process could not do itself.
      sendSignalToGroup(spawned, 'SIGKILL');
      registry.remove(spawned);
      running = undefined;
      for (const listener of listeners) listener(exit);
    });
    return current;
  }

  async function end(current: Running, graceMs: number): Promise<void> {
    current.stopping = true;
    if (graceMs > 0) {
      sendSignal(current.pid, 'SIGTERM');
      await Promise.race([current.ended, delay(graceMs, undefined, { ref: false })]);
    }
    if (running !== current) return;
    sendSignalToGroup(current.pid, 'SIGKILL');
    await current.ended;
    await spec.clear?.();
  }

  return {
    name: spec.name,
    tier: spec.tier,
    logFile: spec.logFile,
    pid: () => running?.pid,
    onExit: (listener) => void listeners.push(listener),
    async start(signal) {
      if (running !== undefined) throw new Error(`${spec.name} is running already`);
      await spec.clear?.();
      running = await spawnProcess();
      const current = running;
      try {
        await waitUntilReady(spec, current, signal);
      } catch (error) {
        await end(current, 0);
        throw error;
      }
    },
    async stop() {
      if (running !== undefined) await end(running, spec.stopGraceMs);
    },
    async kill() {
      if (running !== undefined) await end(running, 0);
    },
  };
}

function spawnLogged(spec: UnitSpec): ChildProcess {
  const { file, args, env, cwd } = spec.command();
  fs.mkdirSync(path.dirname(spec.logFile), { recursive: true });
  const log = fs.openSync(spec.logFile, 'a', 0o600);
  try {
    const [program, ...programArgs] = [...dieWithParent(), file, ...args];
    return spawn(program ?? file, programArgs, { cwd, env, detached: true, stdio: ['ignore', log, log] });
  } finally {
    fs.closeSync(log);
  }
}

// Prefix with which the kernel, if the system supports it, kills children when this process is killed.
function dieWithParent(): string[] {
  const setpriv = process.platform === 'linux' ? findOnPath('setpriv') : undefined;
  return setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--'];
}

function spawnedPid(child: ChildProcess, spec: UnitSpec): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new UnitFailed(spec.name, `could not be run: ${error.message}`, spec.logFile)),
    );
    child.once('spawn', () => resolve(child.pid ?? 0));
  });
}

function endOf(child: ChildProcess, isExpected: () => boolean): Promise<UnitExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => {
      resolve({ ending: signal === null ? `exit code ${code}` : `signal ${signal}`, expected: isExpected() });
    });
  });
}

async function waitUntilReady(spec: UnitSpec, current: Running, signal: AbortSignal | undefined): Promise<void> {
  const giveUp = new AbortController();
  const signals = signal === undefined ? [giveUp.signal] : [giveUp.signal, signal];
  const ended = current.ended.then((exit) => {
    throw new UnitFailed(spec.name, `ended with ${exit.ending} before it was ready`, spec.logFile);
  });
  const late = delay(spec.readyTimeoutMs, undefined, { signal: giveUp.signal, ref: false }).then(() => {
    throw new UnitFailed(spec.name, `was not ready within ${spec.readyTimeoutMs / 1000} s`, spec.logFile);
  });
  try {
    await Promise.race([spec.ready(AbortSignal.any(signals)), ended, late]);
  } finally {
    giveUp.abort();
    for (const outcome of [ended, late]) outcome.catch(() => undefined);
  }
}
