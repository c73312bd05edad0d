import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io, Sink, Talk } from '../io.ts';

/** World of a command in a test. */
export interface FakeIo extends Io {
  /** Everything that was written. */
  out(): string;
  err(): string;
  /** Lines of a terminal that shows both, as they stand after what was erased. */
  screen(): string[];
  /** Presses Ctrl-C. */
  interrupt(): void;
  /** Presses Ctrl-C while something is done in a talk. */
  interruptTalk(): void;
  /** Questions that were asked. */
  readonly asked: string[];
  /** Addresses that were opened. */
  readonly browsed: string[];
}

export interface FakeIoOptions {
  isTerminal?: boolean;
  columns?: number;
  env?: Record<string, string>;
  directory?: string;
  stdin?: string;
  /** Answers to questions, in their order. */
  answers?: (string | undefined)[];
  /** Lines of a talk, in their order; then the person leaves. */
  lines?: string[];
}

/** Time of all tests. */
export const NOW_MS = Date.UTC(2026, 10, 27, 12);

export function fakeIo(options: FakeIoOptions = {}): FakeIo {
  const { isTerminal = false, columns = 100, env = {}, directory = tmpdir(), stdin = '' } = options;
  const { answers = [], lines = [] } = options;
  const both: Buffer[] = [];
  const [out, err] = [sinkOf(isTerminal, columns, both), sinkOf(isTerminal, columns, both)];
  const interruption = new AbortController();
  const asked: string[] = [];
  const browsed: string[] = [];
  let working: AbortController | undefined;
  const talk: Talk = {
    line(prompt) {
      asked.push(prompt);
      return Promise.resolve(lines.shift());
    },
    async during(work) {
      working = new AbortController();
      await work(working.signal);
    },
    end: () => undefined,
  };
  return {
    ...{ env: { HOME: '/nowhere', ...env }, directory, stdout: out.sink, stderr: err.sink, asked, browsed },
    screen: () =>
      textOf(both)
        .split('\n')
        .map((line) => line.split('\r\u001b[K').at(-1) ?? ''),
    ...{ out: out.text, err: err.text, interrupted: interruption.signal, now: () => NOW_MS },
    stdin: Object.assign(
      (async function* () {
        if (stdin !== '') yield await Promise.resolve(Buffer.from(stdin));
      })(),
      { isTerminal },
    ),
    pause: (_ms, signal) => (signal.aborted ? Promise.reject(signal.reason as Error) : Promise.resolve()),
    interrupt: () => interruption.abort(),
    ask(question) {
      asked.push(question);
      return Promise.resolve(answers.shift());
    },
    talk: () => Promise.resolve(talk),
    interruptTalk: () => working?.abort(),
    browse(url) {
      browsed.push(url);
      return Promise.resolve();
    },
  };
}

const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString('utf8');

function sinkOf(isTerminal: boolean, columns: number, both: Buffer[]): { sink: Sink; text(): string } {
  const parts: Buffer[] = [];
  return {
    sink: {
      ...{ isTerminal, columns: () => columns },
      write(data) {
        parts.push(Buffer.from(data));
        both.push(Buffer.from(data));
        return Promise.resolve();
      },
    },
    text: () => textOf(parts),
  };
}

/** Makes a folder that is removed when the test ends. */
export function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'clew-cli-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
