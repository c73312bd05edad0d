import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { LineCutter } from '@clew/kernel';
import type { EngineChild, EngineStart, Exit } from './engine-host.ts';
import { findExecutable } from './find-executable.ts';
import { NONCE_VARIABLE, processorTicksOf, startTimeOf } from './identity.ts';
import { endProcesses, processesMarked } from './marked.ts';

/** User other than that of the starting process; only root may name one. */
export interface ChildUser {
  readonly uid: number;
  readonly gid: number;
}

export interface ChildOptions extends EngineStart {
  /** Whole environment, except for the mark. */
  env: Readonly<Record<string, string>>;
  user?: ChildUser | undefined;
}

const STOP_GRACE_MS = 10_000;
const PRINTED_AFTER_EXIT_MS = 1_000;
const MAX_LINE_BYTES = 64 * 1024;

/** Wraps a command so that the kernel ends the child when this process dies, in any way; needs `setpriv`. */
function boundToThisProcess(command: readonly string[]): [file: string, ...args: string[]] {
  const setpriv = process.platform === 'linux' ? findExecutable('setpriv') : undefined;
  const [file = '', ...args] = command;
  return setpriv === undefined ? [file, ...args] : [setpriv, '--pdeathsig', 'KILL', '--', file, ...args];
}

/** Starts a program in its own process group; rejects if it cannot be started. */
export async function startChild(options: ChildOptions): Promise<EngineChild> {
  const { cwd, env, mark, user } = options;
  const [file, ...args] = boundToThisProcess(options.command);
  const child = spawn(file, args, {
    ...{ cwd, ...user, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...env, ...(mark === undefined ? {} : { [NONCE_VARIABLE]: mark }) },
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  return supervise(child, options);
}

function supervise(child: ChildProcess, { onLine, mark }: ChildOptions): EngineChild {
  const { pid } = child;
  if (pid === undefined) throw new Error('A process that was started has no id');
  const startTime = startTimeOf(pid) ?? null;
  const printed = [child.stdout, child.stderr].map((stream) => tellLines(stream, onLine));
  const exited = new Promise<Exit>((resolve) => {
    child.once('exit', (code, signal) => {
      // No process of its group may stay behind.
      signalGroup(pid, 'SIGKILL');
      // Waits for the last output, which says why the program ended; a grandchild that keeps the pipe open does not
      // delay this.
      const all = Promise.all(printed);
      void Promise.race([all, sleep(PRINTED_AFTER_EXIT_MS, undefined, { ref: false })]).then(() =>
        resolve({ code, signal }),
      );
    });
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  return {
    ...{ pid, startTime, exited, isAlive },
    processorTicks: async () => processorTicksOf(pid),
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
      // Processes that have left the group still carry its mark.
      if (mark !== undefined) await endProcesses(processesMarked(mark));
    },
  };
}

/** Passes on each line, including those that a progress bar overwrites; an endless line is not held in memory. */
function tellLines(stream: Readable | null, onLine: (line: string) => void): Promise<void> {
  if (stream === null) return Promise.resolve();
  const cutter = new LineCutter(MAX_LINE_BYTES);
  const tell = (lines: ReturnType<LineCutter['cut']>) => {
    for (const line of lines) {
      const text = 'text' in line ? line.text : `(a line that ${line.refusal})`;
      for (const part of text.replace(/\r$/, '').split('\r')) onLine(part);
    }
  };
  stream.on('data', (chunk: Buffer) => tell(cutter.cut(chunk)));
  return new Promise<void>((resolve) => {
    stream.once('close', () => {
      tell(cutter.end());
      resolve();
    });
  });
}

/** Signals every process of a group; a group that is gone is no error. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    // macOS answers EPERM for a group whose last process has ended but was not waited for.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
