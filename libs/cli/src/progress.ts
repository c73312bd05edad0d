import { humanBytes } from './output/cells.ts';
import type { Io } from './io.ts';

/** Display of work that takes a while, on stderr. */
export interface Progress {
  /** Tells how many bytes are done; `total` null if that is not known. One line, drawn again on a terminal. */
  bytes(state: { done: number; total: number | null; label: string }): void;
  /** Tells the state of a step, in a line for each that is new; the line of bytes makes way for it. */
  step(step: string, state: string): void;
  /** Ends the line of bytes, so that other lines can follow; its last state stays. */
  end(): void;
}

const CLEAR_LINE = '\r\u001b[K';
const REDRAW_MS = 100;
const LINE_EVERY_MS = 30_000;
const LINE_EVERY_PERCENT = 10;
const RATE_WINDOW_MS = 10_000;

/** Makes the display of a command. Bytes that go to no terminal are a line each 10 % or 30 s. */
export function progressOn({ stderr, now }: Io): Progress {
  const startedMs = now();
  let samples: { atMs: number; done: number }[] = [];
  let shownMs = -Infinity;
  let shownPercent = 0;
  let isLineOpen = false;
  const steps = new Map<string, string>();
  const show = (text: string) => {
    isLineOpen = stderr.isTerminal;
    shownMs = now();
    const line = text.slice(0, Math.max(20, (stderr.columns() || 80) - 1));
    void stderr.write(stderr.isTerminal ? `${CLEAR_LINE}${line}` : `${text}\n`);
  };
  return {
    bytes({ done, total, label }) {
      const nowMs = now();
      if (samples.at(-1)?.done !== undefined && done < (samples.at(-1)?.done ?? 0)) samples = [];
      samples = [...samples.filter(({ atMs }) => nowMs - atMs <= RATE_WINDOW_MS), { atMs: nowMs, done }];
      const percent = total === null || total === 0 ? 0 : Math.floor((done / total) * 100);
      const isLast = total !== null && done >= total;
      const isDue = stderr.isTerminal
        ? nowMs - shownMs >= REDRAW_MS || isLast
        : percent >= shownPercent + LINE_EVERY_PERCENT || nowMs - Math.max(shownMs, startedMs) >= LINE_EVERY_MS;
      if (!isDue) return;
      shownPercent = Math.max(shownPercent, percent - (percent % LINE_EVERY_PERCENT));
      show(lineOf({ done, total, label }, rateOf(samples)));
    },
    step(step, state) {
      if (steps.get(step) === state) return;
      steps.set(step, state);
      void stderr.write(`${isLineOpen ? CLEAR_LINE : ''}${step}: ${state}\n`);
      isLineOpen = false;
    },
    end() {
      if (isLineOpen) void stderr.write('\n');
      isLineOpen = false;
    },
  };
}

/** Returns bytes a second over the last while; undefined while there is too little to tell. */
function rateOf(samples: readonly { atMs: number; done: number }[]): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.atMs - first.atMs < 500) return undefined;
  return ((last.done - first.done) * 1_000) / (last.atMs - first.atMs);
}

function lineOf({ done, total, label }: { done: number; total: number | null; label: string }, rate?: number): string {
  const share = total === null || total === 0 ? '' : `${String(Math.floor((done / total) * 100)).padStart(3)} %  `;
  const size = total === null ? humanBytes(done) : `${humanBytes(done)} of ${humanBytes(total)}`;
  const speed = rate === undefined ? '' : `  ${humanBytes(rate)}/s`;
  const left = rate === undefined || rate === 0 || total === null ? '' : `  ${spanOf((total - done) / rate)} left`;
  return `${label}  ${share}${size}${speed}${left}`;
}

function spanOf(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}
