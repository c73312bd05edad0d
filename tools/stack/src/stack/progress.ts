/** Progress of a start, as data that is displayed, sent to another process, or written to a file. */
export interface ProgressEvent {
  kind: 'begin' | 'note' | 'done' | 'skipped' | 'failed' | 'message';
  step: string;
  text: string;
  /** Milliseconds since the start began. */
  atMs: number;
}

export type ProgressSink = (event: ProgressEvent) => void;

/** Interface with which a step reports. */
export interface Step {
  note(text: string): void;
  /** Ends the step as one that had nothing to do. */
  skip(text: string): void;
  /** Sets the text of the closing line. */
  summary(text: string): void;
}

export interface Progress {
  step<T>(name: string, work: (step: Step) => Promise<T>): Promise<T>;
  message(text: string): void;
}

/** Turns steps into events, with the time since this call. */
export function createProgress(sink: ProgressSink): Progress {
  const startedAtMs = Date.now();
  const emit = (kind: ProgressEvent['kind'], step: string, text: string) =>
    sink({ kind, step, text, atMs: Date.now() - startedAtMs });
  return {
    message: (text) => emit('message', '', text),
    async step(name, work) {
      const stepStartedAtMs = Date.now();
      let closing: { kind: 'done' | 'skipped'; text: string } = { kind: 'done', text: 'done' };
      emit('begin', name, '');
      try {
        const value = await work({
          note: (text) => emit('note', name, text),
          skip: (text) => (closing = { kind: 'skipped', text }),
          summary: (text) => (closing = { kind: 'done', text }),
        });
        emit(closing.kind, name, `${closing.text} (${seconds(Date.now() - stepStartedAtMs)})`);
        return value;
      } catch (error) {
        emit('failed', name, '');
        throw error;
      }
    },
  };
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

const MARKS = { begin: '·', note: '·', done: '✓', skipped: '-', failed: '✗', message: ' ' } as const;
const COLORS = {
  begin: '',
  note: '',
  done: '\u001B[32m',
  skipped: '\u001B[90m',
  failed: '\u001B[31m',
  message: '',
} as const;
const STEP_WIDTH = 13;

/** Writes one line per event, colored on a terminal. */
export function createLineSink(write: (line: string) => void, options: { colored: boolean }): ProgressSink {
  return ({ kind, step, text, atMs }) => {
    if (kind === 'begin') return;
    const mark = options.colored && COLORS[kind] !== '' ? `${COLORS[kind]}${MARKS[kind]}\u001B[0m` : MARKS[kind];
    const line = kind === 'message' ? text : `${step.padEnd(STEP_WIDTH)} ${text === '' ? 'failed' : text}`;
    write(`${seconds(atMs).padStart(7)} ${mark} ${line}`);
  };
}
