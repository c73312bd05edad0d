import { connectBroker, QUEUES } from '@clew/messaging';
import { createLogger } from '@clew/runtime';

const PURGE_INTERVAL_MS = 250;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Purges the queues of spans continuously: a growing queue would slow the broker down, and make it refuse in the end.
 */
export async function keepQueueEmpty(amqpUrl: string): Promise<() => Promise<void>> {
  const logger = createLogger({ service: 'bench', version: '0', level: 'error' });
  const broker = await connectBroker({ url: amqpUrl, appName: 'bench', logger });
  await broker.whenConnected(AbortSignal.timeout(CONNECT_TIMEOUT_MS));
  const channel = await broker.openChannel();
  // Closing the connection may interrupt the last purge.
  const purge = () => {
    for (const { name } of [QUEUES.spansReceived, QUEUES.spansReceivedBulk]) {
      void channel.purgeQueue(name).catch(() => undefined);
    }
  };
  const timer = setInterval(purge, PURGE_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await broker.close();
  };
}
