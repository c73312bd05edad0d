import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { sendSignalToGroup } from './process-identity.ts';

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** Gives up if no line was printed for this many milliseconds. */
  silenceTimeoutMs?: number;
  /** Signal that interrupts the command: SIGKILL, unless it needs a chance to clean up. */
  endSignal?: NodeJS.Signals;
  /** Called with each line of stdout and stderr as it arrives. */
  onLine?: (line: string) => void;
}

export interface RunResult {
  stdout: string;
  /** Lines of stdout and stderr in the order of their arrival. */
  output: string;
}

/** Command that could not be started, failed, or timed out. */
export class CommandError extends Error {
  /** Outcome such as "ended with exit code 1" or "said nothing for 20 s". */
  readonly ending: string;
  readonly output: string;

  constructor(command: string, ending: string, output: string) {
    const lastLine = output.trimEnd().split('\n').at(-1) ?? '';
    super(`${command} ${ending}${lastLine === '' ? '' : ` (${lastLine.trim().slice(0, 200)})`}`);
    this.name = 'CommandError';
    this.ending = ending;
    this.output = output;
  }
}

/** Runs a command to its end and returns its output; any exit code except 0 throws a CommandError. */
export async function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  options.signal?.throwIfAborted();
  const child = spawn(file, [...args], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Separate process group: the command's children end with it, and a Ctrl-C reaches only the parent.
    detached: true,
  });
  const limits = createLimits(child, options);
  const collected = collectLines(child, (line) => {
    limits.heard();
    options.onLine?.(line);
  });
  try {
    const ending = await endOf(child);
    const command = `${file} ${args.join(' ')}`.slice(0, 200);
    const interrupted = limits.reason();
    if (interrupted !== undefined) throw new CommandError(command, interrupted, collected.output());
    if (ending !== 'exit code 0') throw new CommandError(command, `ended with ${ending}`, collected.output());
    return { stdout: collected.stdout(), output: collected.output() };
  } finally {
    limits.dispose();
  }
}

function createLimits(child: ChildProcess, { signal, timeoutMs, silenceTimeoutMs, endSignal }: RunOptions) {
  let reason: string | undefined;
  const interrupt = (text: string) => {
    reason ??= text;
    signalGroup(child, endSignal ?? 'SIGKILL');
  };
  const after = (limitMs: number | undefined, text: string) =>
    limitMs === undefined ? undefined : setTimeout(() => interrupt(`${text} ${limitMs / 1000} s`), limitMs);
  const onAbort = () => interrupt('was interrupted');
  signal?.addEventListener('abort', onAbort, { once: true });
  const total = after(timeoutMs, 'gave no result within');
  const silence = after(silenceTimeoutMs, 'said nothing for');
  return {
    reason: () => reason,
    heard: () => void silence?.refresh(),
    dispose() {
      clearTimeout(total);
      clearTimeout(silence);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`));
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) sendSignalToGroup(child.pid, signal);
}

function collectLines(child: ChildProcess, onLine: (line: string) => void) {
  const stdoutLines: string[] = [];
  const allLines: string[] = [];
  const follow = (stream: NodeJS.ReadableStream | null, isStdout: boolean) => {
    if (stream === null) return;
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => {
      if (isStdout) stdoutLines.push(line);
      allLines.push(line);
      onLine(line);
    });
  };
  follow(child.stdout, true);
  follow(child.stderr, false);
  return { stdout: () => stdoutLines.join('\n'), output: () => allLines.join('\n') };
}
