import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findExecutable } from './find-executable.ts';

export interface ChildOptions {
  command: readonly [file: string, ...args: string[]];
  cwd: string;
  /** All that it gets beside `inheritedEnvironment()`. */
  env?: Readonly<Record<string, string>>;
  /** Each line that it prints, on either stream. */
  onLine(line: string): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that ends with this one, in a group of its own. */
export interface Child {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  isAlive(): boolean;
  /** SIGTERM, then SIGKILL of the whole group after the grace time; resolves once it has ended. */
  stop(graceMs?: number): Promise<void>;
}

const STOP_GRACE_MS = 10_000;
const PRINTED_AFTER_EXIT_MS = 1_000;

/** What a program needs to run and to reach a package registry; never this process's own secrets. */
const INHERITED =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|PIP_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|(?:https?|no|all)_proxy|CUDA_\w+|NVIDIA_\w+|LD_LIBRARY_PATH|VLLM_\w+)$/i;

export function inheritedEnvironment(env: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && INHERITED.test(name) ? [[name, value]] : [],
    ),
  );
}

/** Where there is `setpriv`, the kernel ends the child when this process dies, however it dies. */
function boundToThisProcess(command: readonly string[]): [file: string, ...args: string[]] {
  const setpriv = process.platform === 'linux' ? findExecutable('setpriv') : undefined;
  const [file = '', ...args] = command;
  return setpriv === undefined ? [file, ...args] : [setpriv, '--pdeathsig', 'KILL', '--', file, ...args];
}

/** Starts a program; rejects where it cannot be started. */
export async function startChild(options: ChildOptions): Promise<Child> {
  const [file, ...args] = boundToThisProcess(options.command);
  const child = spawn(file, args, {
    cwd: options.cwd,
    env: { ...inheritedEnvironment(), ...options.env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return supervise(child, options);
}

function supervise(child: ChildProcess, { onLine }: ChildOptions): Child {
  const { pid } = child;
  if (pid === undefined) throw new Error('A process that was started has no id');
  const printed = [child.stdout, child.stderr].map((stream) => {
    if (stream === null) return Promise.resolve();
    const lines = createInterface({ input: stream });
    lines.on('line', onLine);
    return new Promise<void>((resolve) => lines.once('close', resolve));
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      // Nothing of its group may stay behind.
      signalGroup(pid, 'SIGKILL');
      // What it printed last says why it ended; a grandchild that keeps the pipe open does not hold this up.
      const all = Promise.all(printed);
      void Promise.race([all, sleep(PRINTED_AFTER_EXIT_MS, undefined, { ref: false })]).then(() =>
        resolve({ code, signal }),
      );
    });
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    pid,
    exited,
    isAlive,
    async stop(graceMs = STOP_GRACE_MS) {
      if (isAlive()) signalGroup(pid, 'SIGTERM');
      const waiting = new AbortController();
      const late = sleep(graceMs, undefined, { signal: waiting.signal }).then(
        () => signalGroup(pid, 'SIGKILL'),
        () => undefined,
      );
      await exited;
      waiting.abort();
      await late;
    },
  };
}

/** Signals every process of a group; one that is gone is no error. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    // macOS says EPERM of a group whose last process has ended but was not waited for.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
