import { connectBroker, QUEUES } from '@clew/messaging';
import { createLogger } from '@clew/runtime';

const PURGE_INTERVAL_MS = 250;
const CONNECT_TIMEOUT_MS = 10_000;

/** Empties the queue of spans all the time: one that grows would slow the broker down, and at last refuse. */
export async function keepQueueEmpty(amqpUrl: string): Promise<() => Promise<void>> {
  const logger = createLogger({ service: 'bench', version: '0', level: 'error' });
  const broker = await connectBroker({ url: amqpUrl, appName: 'bench', logger });
  await broker.whenConnected(AbortSignal.timeout(CONNECT_TIMEOUT_MS));
  const channel = await broker.openChannel();
  // The last one may be cut off by the end.
  const purge = () => void channel.purgeQueue(QUEUES.spansReceived.name).catch(() => undefined);
  const timer = setInterval(purge, PURGE_INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    await broker.close();
  };
}
