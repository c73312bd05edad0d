/** One thing that must work before a process takes traffic. Throws, or rejects, when it does not. */
export interface ReadinessCheck {
  name: string;
  check(): Promise<void>;
}

export interface ReadinessReport {
  ready: boolean;
  checks: Record<string, 'ok' | 'failing'>;
}

export interface Readiness {
  report(): Promise<ReadinessReport>;
  /** From now on not ready, so that no new traffic is sent while the process drains. */
  startDraining(): void;
}

const CACHE_MS = 2_000;

/** Answers from a cache of 2 s, so that probes cost the database nothing. */
export function createReadiness(checks: readonly ReadinessCheck[]): Readiness {
  let draining = false;
  let cached: { atMs: number; report: Promise<ReadinessReport> } | undefined;
  return {
    async report() {
      if (draining) return { ready: false, checks: { draining: 'failing' } };
      if (cached === undefined || Date.now() - cached.atMs > CACHE_MS) {
        cached = { atMs: Date.now(), report: runChecks(checks) };
      }
      const report = await cached.report;
      // A process that has just come up should not stay unready for the rest of the cache time.
      if (!report.ready) cached = undefined;
      return report;
    },
    startDraining() {
      draining = true;
    },
  };
}

async function runChecks(checks: readonly ReadinessCheck[]): Promise<ReadinessReport> {
  const results = await Promise.allSettled(checks.map((check) => check.check()));
  const report: ReadinessReport = { ready: true, checks: {} };
  results.forEach((result, index) => {
    const name = checks[index]?.name ?? String(index);
    report.checks[name] = result.status === 'fulfilled' ? 'ok' : 'failing';
    if (result.status === 'rejected') report.ready = false;
  });
  return report;
}
