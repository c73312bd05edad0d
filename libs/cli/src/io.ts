import { once } from 'node:events';

/** Stream that text goes to. */
export interface Sink {
  /** Whether it is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal in characters. */
  columns(): number;
  /** Resolves when more can be written. */
  write(data: string | Uint8Array): Promise<void>;
}

/** World around a command: streams, environment, place and time. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTerminal: boolean };
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
  now(): number;
  /** Waits; rejects when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  /** Asks a person for a line; undefined if they give up. */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string | undefined>;
  /** Begins a talk: line after line, with the history of a terminal. */
  talk(): Promise<Talk>;
  /** Opens an address in a browser. */
  browse(url: string): Promise<void>;
}

/** Lines that a person types, one after the other. */
export interface Talk {
  /** Reads a line; undefined if the person leaves by Ctrl-C or Ctrl-D. */
  line(prompt: string): Promise<string | undefined>;
  /** Runs work that Ctrl-C aborts in place of the talk. */
  during(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  end(): void;
}

/** Returns the world of this process. */
export function processIo(): Io {
  const interruption = new AbortController();
  process.on('SIGINT', () => {
    // Leaves at once when it is pressed again.
    if (interruption.signal.aborted) process.exit(130);
    interruption.abort();
  });
  // The reader of a pipe has seen enough: `clew findings list | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.stderr.on('error', () => undefined);
  return {
    env: process.env,
    directory: process.cwd(),
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    stdin: {
      isTerminal: process.stdin.isTTY,
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>,
    },
    interrupted: interruption.signal,
    now: Date.now,
    async pause(ms, signal) {
      const { setTimeout: wait } = await import('node:timers/promises');
      await wait(ms, undefined, { signal });
    },
    async ask(question, { isSecret = false } = {}) {
      const { isCancel, password, text } = await import('@clack/prompts');
      const asked = { message: question, output: process.stderr };
      const answer = await (isSecret ? password(asked) : text(asked));
      return isCancel(answer) ? undefined : answer;
    },
    talk: openTalk,
    browse: openBrowser,
  };
}

async function openTalk(): Promise<Talk> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const leaving = new AbortController();
  let working: AbortController | undefined;
  lines.on('SIGINT', () => (working ?? leaving).abort());
  lines.on('close', () => leaving.abort());
  return {
    line: (prompt) => lines.question(prompt, { signal: leaving.signal }).catch(() => undefined),
    async during(work) {
      working = new AbortController();
      try {
        await work(working.signal);
      } finally {
        working = undefined;
      }
    },
    end: () => lines.close(),
  };
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  return {
    isTerminal: stream.isTTY,
    columns: () => stream.columns,
    async write(data) {
      if (!stream.write(data)) await once(stream, 'drain');
    },
  };
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

async function openBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process');
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  // Without a browser the address is still on the screen.
  child.on('error', () => undefined);
  child.unref();
}
