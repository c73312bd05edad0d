import type { Logger } from './logger.ts';

/** Condition for taking traffic. Throws, or rejects, if it is not met. */
export interface ReadinessCheck {
  name: string;
  check(): Promise<void>;
}

/** Signals why a process is not ready, in words that anybody may read: without an address, a user or a tenant. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

export interface ReadinessReport {
  ready: boolean;
  checks: Record<string, 'ok' | 'failing'>;
  /** Reasons in words, by the name of the failing check. */
  reasons?: Record<string, string>;
}

export interface Readiness {
  report(): Promise<ReadinessReport>;
  /** Makes the process not ready from now on, so that no new traffic is sent while it drains. */
  startDraining(): void;
  /** Aborted once the process drains. */
  readonly draining: AbortSignal;
}

const CACHE_MS = 2_000;
/** Interval at which a check that keeps failing is logged again, after the message at its beginning. */
const TELL_EVERY_MS = 60_000;
const UNTOLD_REASON = 'it failed, as the log of the process tells';

/** Caches the result for 2 s, so that probes do not load the database; failures are logged. */
export function createReadiness(checks: readonly ReadinessCheck[], logger?: Logger): Readiness {
  const draining = new AbortController();
  const tell = createTeller(logger);
  let cached: { atMs: number; report: Promise<ReadinessReport> } | undefined;
  return {
    draining: draining.signal,
    async report() {
      if (draining.signal.aborted) {
        return { ready: false, checks: { draining: 'failing' }, reasons: { draining: 'the process is stopping' } };
      }
      if (cached === undefined || Date.now() - cached.atMs > CACHE_MS) {
        cached = { atMs: Date.now(), report: runChecks(checks, tell) };
      }
      const report = await cached.report;
      // A process that has just started should not stay unready for the rest of the cache time.
      if (!report.ready) cached = undefined;
      return report;
    },
    startDraining: () => draining.abort(),
  };
}

type Teller = (check: string, outcome: PromiseSettledResult<void>) => void;

async function runChecks(checks: readonly ReadinessCheck[], tell: Teller): Promise<ReadinessReport> {
  const results = await Promise.allSettled(checks.map((each) => each.check()));
  const report: ReadinessReport = { ready: true, checks: {} };
  results.forEach((result, index) => {
    const name = checks[index]?.name ?? String(index);
    report.checks[name] = result.status === 'fulfilled' ? 'ok' : 'failing';
    tell(name, result);
    if (result.status === 'fulfilled') return;
    report.ready = false;
    const error: unknown = result.reason;
    report.reasons = { ...report.reasons, [name]: error instanceof NotReadyError ? error.message : UNTOLD_REASON };
  });
  return report;
}

/** Logs new failures, ongoing failures at intervals, and recoveries. */
function createTeller(logger: Logger | undefined): Teller {
  const toldAtMs = new Map<string, number>();
  return (check, outcome) => {
    if (outcome.status === 'fulfilled') {
      if (toldAtMs.delete(check)) logger?.info({ check }, 'works again');
      return;
    }
    const sinceMs = Date.now() - (toldAtMs.get(check) ?? -Infinity);
    if (sinceMs < TELL_EVERY_MS) return;
    toldAtMs.set(check, Date.now());
    logger?.warn({ check, err: outcome.reason as unknown }, 'not ready');
  };
}
