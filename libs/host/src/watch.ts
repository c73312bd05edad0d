import { Gauge, type Backlog, type MetricsRegistry, type Part } from '@clew/runtime';

/** Sees to it that what goes on by itself in a process is told as metrics and as liveness. */
export interface Watch {
  /** From now on these are watched. */
  over(parts: readonly Part[]): void;
  /** Whether every part has shown itself lately; where one has not, only a restart helps. */
  isAlive(): boolean;
}

const FIGURES = {
  waiting: ['clew_part_waiting', 'What waits for a part: messages of a queue, rows of an outbox, due rows'],
  oldestAgeMs: ['clew_part_oldest_age_seconds', 'How long the first of them has waited, at most'],
  givenUp: ['clew_part_given_up', 'What a part has given up, and a person is to look at: dead letters, rows'],
} as const satisfies Record<keyof Backlog, readonly [name: string, help: string]>;

export function watchParts({ metrics, maxBeatAgeMs }: { metrics: MetricsRegistry; maxBeatAgeMs: number }): Watch {
  let watched: readonly Part[] = [];
  observeBeats(metrics, () => watched);
  observeBacklogs(metrics, () => watched);
  return {
    over(parts) {
      watched = parts;
    },
    isAlive: () => watched.every((part) => (part.beatAgeMs?.() ?? 0) < maxBeatAgeMs),
  };
}

function observeBeats(metrics: MetricsRegistry, parts: () => readonly Part[]): void {
  new Gauge({
    name: 'clew_part_beat_age_seconds',
    help: 'How long ago a part of the process showed that it turns',
    labelNames: ['part'],
    registers: [metrics],
    collect() {
      for (const { name, beatAgeMs } of parts()) {
        if (beatAgeMs !== undefined) this.set({ part: name }, beatAgeMs() / 1000);
      }
    },
  });
}

/** One look at each backlog serves all of its figures. What nobody can tell at the moment is left out. */
function observeBacklogs(metrics: MetricsRegistry, parts: () => readonly Part[]): void {
  const look = sharedLook(parts);
  for (const [figure, [name, help]] of Object.entries(FIGURES) as [keyof Backlog, readonly [string, string]][]) {
    new Gauge({
      name,
      help,
      labelNames: ['part'],
      registers: [metrics],
      async collect() {
        this.reset();
        for (const [part, backlog] of await look()) {
          this.set({ part }, figure === 'oldestAgeMs' ? backlog.oldestAgeMs / 1000 : backlog[figure]);
        }
      },
    });
  }
}

const LOOK_HOLDS_MS = 1_000;

function sharedLook(parts: () => readonly Part[]): () => Promise<readonly (readonly [string, Backlog])[]> {
  let latest: { atMs: number; found: Promise<(readonly [string, Backlog])[]> } | undefined;
  return () => {
    if (latest === undefined || Date.now() - latest.atMs > LOOK_HOLDS_MS) {
      latest = { atMs: Date.now(), found: backlogsOf(parts()) };
    }
    return latest.found;
  };
}

async function backlogsOf(parts: readonly Part[]): Promise<(readonly [string, Backlog])[]> {
  const looks = parts.map(async (part) => [part.name, await part.backlog?.()] as const);
  const found = await Promise.allSettled(looks);
  return found.flatMap((result) => {
    if (result.status === 'rejected') return [];
    const [name, backlog] = result.value;
    return backlog === undefined ? [] : [[name, backlog] as const];
  });
}
