import { histogramOf, observeGauge, type Backlog, type MetricsRegistry, type BackgroundTask } from '@clew/runtime';

/** Reports the background tasks of a process as metrics and as liveness. */
export interface Watch {
  /** Watches these background tasks from now on. */
  over(parts: readonly BackgroundTask[]): void;
  /** Tells whether every background task gave a recent heartbeat; if one did not, only a restart helps. */
  isAlive(): boolean;
}

export function watchParts({
  metrics,
  maxHeartbeatAgeMs,
}: {
  metrics: MetricsRegistry;
  maxHeartbeatAgeMs: number;
}): Watch {
  let watched: readonly BackgroundTask[] = [];
  const durations = histogramOf(metrics, 'clew_work_duration_seconds');
  observeHeartbeats(metrics, () => watched);
  observeBacklogs(metrics, () => watched);
  return {
    over(parts) {
      watched = parts;
      for (const { name, onWorkEnded } of parts) {
        onWorkEnded?.(({ durationMs, outcome }) => durations.observe({ part: name, outcome }, durationMs / 1000));
      }
    },
    isAlive: () => watched.every((part) => (part.heartbeatAgeMs?.() ?? 0) < maxHeartbeatAgeMs),
  };
}

function observeHeartbeats(metrics: MetricsRegistry, parts: () => readonly BackgroundTask[]): void {
  observeGauge(metrics, 'clew_part_beat_age_seconds', (set) => {
    for (const { name, heartbeatAgeMs } of parts()) {
      if (heartbeatAgeMs !== undefined) set(heartbeatAgeMs() / 1000, { part: name });
    }
  });
}

/**
 * Reports the backlogs, reading each backlog once for all of its figures. Figures that are unknown at the moment are
 * omitted.
 */
function observeBacklogs(metrics: MetricsRegistry, parts: () => readonly BackgroundTask[]): void {
  const look = sharedLook(parts);
  const observe = (name: BacklogMetric, read: (backlog: Backlog) => number) =>
    observeGauge(metrics, name, async (set) => {
      for (const [part, backlog] of await look()) set(read(backlog), { part });
    });
  observe('clew_part_waiting', ({ waiting }) => waiting);
  observe('clew_part_oldest_age_seconds', ({ oldestAgeMs }) => oldestAgeMs / 1000);
  observe('clew_part_given_up', ({ givenUp }) => givenUp);
}

type BacklogMetric = 'clew_part_waiting' | 'clew_part_oldest_age_seconds' | 'clew_part_given_up';

const LOOK_HOLDS_MS = 1_000;

function sharedLook(parts: () => readonly BackgroundTask[]): () => Promise<readonly (readonly [string, Backlog])[]> {
  let latest: { atMs: number; found: Promise<(readonly [string, Backlog])[]> } | undefined;
  return () => {
    if (latest === undefined || Date.now() - latest.atMs > LOOK_HOLDS_MS) {
      latest = { atMs: Date.now(), found: backlogsOf(parts()) };
    }
    return latest.found;
  };
}

async function backlogsOf(parts: readonly BackgroundTask[]): Promise<(readonly [string, Backlog])[]> {
  const looks = parts.map(async (part) => [part.name, await part.backlog?.()] as const);
  const found = await Promise.allSettled(looks);
  return found.flatMap((result) => {
    if (result.status === 'rejected') return [];
    const [name, backlog] = result.value;
    return backlog === undefined ? [] : [[name, backlog] as const];
  });
}
