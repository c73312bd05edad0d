import type { ConfirmChannel } from 'amqplib';
import type { Logger } from '@clew/runtime';
import { openConnection, type Connection } from './connection.ts';
import type { QueueSpec } from './queues.ts';
import { declareQueue, declareTopology, RETRY_DELAYS_MS } from './topology.ts';

export interface BrokerOptions {
  url: string;
  /** Names the connections in the broker. */
  appName: string;
  logger: Logger;
  /** Queues that this process publishes to and answers for; declared on every connection, before anything is sent. */
  queues?: readonly QueueSpec[];
  /** Waits before the second, third, ... attempt at a message; the same for all processes on a broker. */
  retryDelaysMs?: readonly number[];
}

/** A process's way to the broker. */
export interface Broker {
  readonly retryDelaysMs: readonly number[];
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

/**
 * Begins to connect and resolves at once, also while the broker is away: a service that only publishes through its
 * outbox starts without it. The exchanges, the retry queues and `queues` exist whenever `isConnected()` is true.
 */
export async function connectBroker(options: BrokerOptions): Promise<Broker> {
  const { url, appName, logger, queues = [], retryDelaysMs = RETRY_DELAYS_MS } = options;
  const open = (purpose: string) =>
    openConnection({
      url,
      name: `${appName} ${purpose}`,
      logger,
      async declare(channel) {
        await declareTopology(channel, retryDelaysMs);
        for (const queue of queues) await declareQueue(channel, queue);
      },
    });
  const [publishing, consuming] = await Promise.all([open('publishing'), open('consuming')]);
  return {
    retryDelaysMs,
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
