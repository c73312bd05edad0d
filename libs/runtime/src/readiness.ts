import type { Logger } from './logger.ts';

/** One thing that must work before a process takes traffic. Throws, or rejects, when it does not. */
export interface ReadinessCheck {
  name: string;
  check(): Promise<void>;
}

/** A reason for not being ready in words that anybody may read: they name no address, no user and no tenant. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

export interface ReadinessReport {
  ready: boolean;
  checks: Record<string, 'ok' | 'failing'>;
  /** Reasons in words, by the name of the check that fails. */
  reasons?: Record<string, string>;
}

export interface Readiness {
  report(): Promise<ReadinessReport>;
  /** From now on not ready, so that no new traffic is sent while the process drains. */
  startDraining(): void;
  /** Aborted once the process drains. */
  readonly draining: AbortSignal;
}

const CACHE_MS = 2_000;
/** A check that fails is logged when it begins to, and then so often. */
const TELL_EVERY_MS = 60_000;
const UNTOLD_REASON = 'it failed, as the log of the process tells';

/** Answers from a cache of 2 s, so that probes cost the database nothing; what fails is told to the logger. */
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
      // A process that has just come up should not stay unready for the rest of the cache time.
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

/** Logs what begins to fail, what goes on failing once in a while, and what works again. */
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
