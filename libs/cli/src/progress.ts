import { humanBytes } from './output/cells.ts';
import type { Io } from './io.ts';

/** Display of work that takes a while, on stderr. */
export interface Progress {
  /** Tells how far it is; `total` null if that is not known. */
  update(state: { done: number; total: number | null; label: string }): void;
  /** Ends the display; the last state stays. */
  end(): void;
}

const REDRAW_MS = 100;
const LINE_EVERY_MS = 30_000;
const LINE_EVERY_PERCENT = 10;
const RATE_WINDOW_MS = 10_000;

/** Shows bytes: one line that is drawn again on a terminal, else a line each 10 % or 30 s. */
export function byteProgress({ stderr, now }: Io): Progress {
  const startedMs = now();
  let samples: { atMs: number; done: number }[] = [];
  let shownMs = -Infinity;
  let shownPercent = 0;
  let last = '';
  const show = (text: string) => {
    last = text;
    shownMs = now();
    const line = text.slice(0, Math.max(20, (stderr.columns() || 80) - 1));
    void stderr.write(stderr.isTerminal ? `\r\u001b[K${line}` : `${text}\n`);
  };
  return {
    update({ done, total, label }) {
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
    end() {
      if (stderr.isTerminal && last !== '') void stderr.write('\n');
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

/** Shows states of steps: a line for each that is new. */
export function stepProgress({ stderr }: Io): (step: string, state: string) => void {
  const shown = new Map<string, string>();
  return (step, state) => {
    if (shown.get(step) === state) return;
    shown.set(step, state);
    void stderr.write(`${step}: ${state}\n`);
  };
}
