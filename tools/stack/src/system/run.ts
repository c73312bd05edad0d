import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Called with each line of stdout and stderr as it comes. */
  onLine?: (line: string) => void;
}

export interface RunResult {
  stdout: string;
  /** stdout and stderr in the order in which their lines came. */
  output: string;
}

/** A command that could not be started, failed, or ran out of time. */
export class CommandError extends Error {
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.name = 'CommandError';
    this.output = output;
  }
}

/** Runs a command to its end and returns what it printed; anything but exit code 0 throws a CommandError. */
export async function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  options.signal?.throwIfAborted();
  const child = spawn(file, [...args], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: what the command started is ended with it, and a Ctrl-C reaches only us.
    detached: true,
  });
  const collected = collectLines(child, options.onLine);
  let interrupted: string | undefined;
  const interrupt = (reason: string) => {
    interrupted ??= reason;
    killGroup(child);
  };
  const onAbort = () => interrupt('was interrupted');
  options.signal?.addEventListener('abort', onAbort, { once: true });
  const timer =
    options.timeoutMs === undefined
      ? undefined
      : setTimeout(() => interrupt(`gave no result within ${(options.timeoutMs ?? 0) / 1000} s`), options.timeoutMs);
  try {
    const ending = await endOf(child);
    const command = `${file} ${args.join(' ')}`.slice(0, 200);
    if (interrupted !== undefined) throw new CommandError(`${command} ${interrupted}`, collected.output());
    if (ending !== 'exit code 0') throw new CommandError(`${command} ended with ${ending}`, collected.output());
    return { stdout: collected.stdout(), output: collected.output() };
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', onAbort);
  }
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended by itself in the meantime.
  }
}

function collectLines(child: ChildProcess, onLine: ((line: string) => void) | undefined) {
  const stdoutLines: string[] = [];
  const allLines: string[] = [];
  const follow = (stream: NodeJS.ReadableStream | null, isStdout: boolean) => {
    if (stream === null) return;
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => {
      if (isStdout) stdoutLines.push(line);
      allLines.push(line);
      onLine?.(line);
    });
  };
  follow(child.stdout, true);
  follow(child.stderr, false);
  return { stdout: () => stdoutLines.join('\n'), output: () => allLines.join('\n') };
}
