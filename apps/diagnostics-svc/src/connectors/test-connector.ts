import type { ConnectorTest } from '@clew/contracts';
import type { Outcome, TrackerTest } from '@clew/issue-trackers';
import { comeBackLater, createFairLimiter } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import { SecretUnreadableError } from '@clew/secrets';
import type { StoredConnector } from './stored-connector.ts';
import type { Connectors } from './connectors.ts';

/** Asks the provider whether a connector works. */
export type TestConnector = (connector: StoredConnector, signal: AbortSignal) => Promise<ConnectorTest>;

/** Time limit of a test, with its wait for a place; below that of the gateway for an ordinary call. */
const DEADLINE_MS = 20_000;
/** Tests at a time: a provider that is slow costs its own project. */
const PLACES = { places: 40, share: 5 };

export function createTestConnector(connectors: Pick<Connectors, 'trackerOf'>, logger: Logger): TestConnector {
  const limiter = createFairLimiter(PLACES);
  return async (connector, callerSignal) => {
    const signal = AbortSignal.any([callerSignal, AbortSignal.timeout(DEADLINE_MS)]);
    const leave = await limiter.enter([connector.projectId], signal).catch(() => {
      throw comeBackLater('OVERLOADED', 'Too many connectors are being tested', 1_000);
    });
    const startedMs = performance.now();
    try {
      const tracker = connectors.trackerOf(connector);
      const found = resultOf(await tracker.test({ signal, deadlineMs: DEADLINE_MS }));
      return { ...found, latencyMs: Math.round(performance.now() - startedMs) };
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      logger.error({ err: error, connectorId: connector.id }, 'the credentials of a connector cannot be read');
      return { ...failed('credentials', error.message), latencyMs: 0 };
    } finally {
      leave();
    }
  };
}

type Found = Omit<ConnectorTest, 'latencyMs'>;

function resultOf(outcome: Outcome<TrackerTest>): Found {
  switch (outcome.kind) {
    case 'done':
      return { ok: true, ...outcome.value, reason: null, error: null };
    case 'refused':
    case 'later':
      return failed(outcome.reason, outcome.message);
    case 'unknown':
      return failed('unknown', outcome.message);
  }
}

function failed(reason: NonNullable<ConnectorTest['reason']>, error: string): Found {
  return { ok: false, account: null, destination: null, reason, error };
}
