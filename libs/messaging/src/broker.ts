import type { ConfirmChannel } from 'amqplib';
import type { Logger } from '@clew/runtime';
import { openConnection, type Connection } from './connection.ts';
import { checkExchanges, RETRY_DELAYS_MS } from './topology.ts';

export interface BrokerOptions {
  url: string;
  /** Name of the connections in the broker. */
  appName: string;
  logger: Logger;
  /** Waits before the second, third, ... attempt at a message; the same for all processes on a broker. */
  retryDelaysMs?: readonly number[];
  /** Heartbeat interval of an idle consumer; 15,000 by default. */
  checkIntervalMs?: number;
  /** Time for an answer to a question, or to the end of a subscription or channel; 2,000 by default. */
  answerTimeoutMs?: number;
  /** Time for a connection to close; 3,000 by default. */
  closeTimeoutMs?: number;
}

/** Connections of a process to the broker. */
export interface Broker {
  readonly retryDelaysMs: readonly number[];
  readonly checkIntervalMs: number;
  readonly logger: Logger;
  /**
   * Connection for publishing, separate from the consuming one. A broker that is short of memory or disk stops reading
   * from publishing connections: acknowledgements on the same connection would not get through, and the queues could
   * not drain.
   */
  readonly publishing: Connection;
  readonly consuming: Connection;
  /** Tells whether both connections are up. */
  isConnected(): boolean;
  /**
   * Resolves once connected; rejects with BrokerUnavailableError if the signal (`AbortSignal.timeout(ms)`) comes first.
   */
  whenConnected(signal: AbortSignal): Promise<void>;
  /** Opens a channel for a short task; rejects with BrokerUnavailableError at once if there is no connection. */
  openChannel(): Promise<ConfirmChannel>;
  close(): Promise<void>;
}

const CHECK_INTERVAL_MS = 15_000;

/**
 * Begins to connect and resolves at once, even while the broker is away: a service that only publishes through its
 * outbox starts without it. Whenever `isConnected()` is true, the migration step has declared the exchanges.
 */
export async function connectBroker(options: BrokerOptions): Promise<Broker> {
  const { url, appName, logger, retryDelaysMs = RETRY_DELAYS_MS, checkIntervalMs = CHECK_INTERVAL_MS } = options;
  const open = (purpose: string) =>
    openConnection({
      url,
      name: `${appName} ${purpose}`,
      logger,
      check: checkExchanges,
      answerTimeoutMs: options.answerTimeoutMs,
      closeTimeoutMs: options.closeTimeoutMs,
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
