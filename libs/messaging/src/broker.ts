import type { ConfirmChannel } from 'amqplib';
import type { Logger } from '@clew/runtime';
import { openConnection, type Connection } from './connection.ts';
import { checkExchanges, RETRY_DELAYS_MS } from './topology.ts';

export interface BrokerOptions {
  url: string;
  /** Names the connections in the broker. */
  appName: string;
  logger: Logger;
  /** Waits before the second, third, ... attempt at a message; the same for all processes on a broker. */
  retryDelaysMs?: readonly number[];
  /** How often an idle consumer shows that it works; 15,000 by default. */
  checkIntervalMs?: number;
}

/** A process's way to the broker. */
export interface Broker {
  readonly retryDelaysMs: readonly number[];
  readonly checkIntervalMs: number;
  readonly logger: Logger;
  /**
   * Apart from the other, since a broker that is short of memory or disk stops reading from connections that publish:
   * acknowledgements on the same one would not get through, and the queues could not drain.
   */
  readonly publishing: Connection;
  readonly consuming: Connection;
  /** Whether both are there. */
  isConnected(): boolean;
  /** Resolves once connected; rejects with BrokerUnavailableError when the signal (`AbortSignal.timeout(ms)`) is first. */
  whenConnected(signal: AbortSignal): Promise<void>;
  /** A channel for a moment's work; rejects with BrokerUnavailableError at once when there is no connection. */
  openChannel(): Promise<ConfirmChannel>;
  close(): Promise<void>;
}

const CHECK_INTERVAL_MS = 15_000;

/**
 * Begins to connect and resolves at once, also while the broker is away: a service that only publishes through its
 * outbox starts without it. The migration step has declared the exchanges whenever `isConnected()` is true.
 */
export async function connectBroker(options: BrokerOptions): Promise<Broker> {
  const { url, appName, logger, retryDelaysMs = RETRY_DELAYS_MS, checkIntervalMs = CHECK_INTERVAL_MS } = options;
  const open = (purpose: string) =>
    openConnection({
      url,
      name: `${appName} ${purpose}`,
      logger,
      check: checkExchanges,
    });
  const [publishing, consuming] = await Promise.all([open('publishing'), open('consuming')]);
  return {
    retryDelaysMs,
    checkIntervalMs,
    logger,
    publishing,
    consuming,
    isConnected: () => publishing.isConnected() && consuming.isConnected(),
    async whenConnected(signal) {
      await Promise.all([publishing.whenConnected(signal), consuming.whenConnected(signal)]);
    },
    openChannel: () => consuming.openChannel(),
    async close() {
      await Promise.all([publishing.close(), consuming.close()]);
    },
  };
}
