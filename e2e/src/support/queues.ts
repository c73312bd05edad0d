import {
  connectBroker,
  deadLetterQueueOf,
  QUEUES,
  RETRY_DELAYS_MS,
  retryExchangeOf,
  type Broker,
  type QueueSpec,
} from '@clew/messaging';
import { silentLogger } from '@clew/testing';
import { runningStack } from './stack.ts';

const IN_USE = Object.values<QueueSpec>(QUEUES).filter(({ retired }) => retired !== true);
/** Queues in which messages stay: retry queues and dead-letter queues. The queues of consumers run empty. */
const WAITING = [...RETRY_DELAYS_MS.map(retryExchangeOf), ...IN_USE.map(({ name }) => deadLetterQueueOf(name))];

/** Messages in retry and dead-letter queues, with the name of their queue. */
export async function* waitingMessages(): AsyncGenerator<[queue: string, text: string]> {
  for (const queue of WAITING) yield [queue, await withBroker((broker) => textOf(broker, queue))];
}

/** Text of all messages in a queue; the messages are put back. */
async function textOf(broker: Broker, queue: string): Promise<string> {
  const channel = await broker.openChannel();
  const bodies: string[] = [];
  for (;;) {
    const message = await channel.get(queue, { noAck: false });
    if (message === false) break;
    bodies.push(message.content.toString());
  }
  channel.nackAll(true);
  await channel.close();
  return bodies.join('\n');
}

/** Number of messages in each non-empty consumer queue. */
export async function queuedMessages(): Promise<Record<string, number>> {
  return await withBroker(async (broker) => {
    const channel = await broker.openChannel();
    const waiting: Record<string, number> = {};
    for (const { name } of IN_USE) {
      const { messageCount } = await channel.checkQueue(name);
      if (messageCount > 0) waiting[name] = messageCount;
    }
    await channel.close();
    return waiting;
  });
}

/** Adds a dead letter to the dead-letter queue of a queue, like a consumer that gives up on a message. */
export async function bury(queue: QueueSpec, projectId: string, data: object): Promise<void> {
  const { type, version } = queue.message;
  const id = `${type}:${crypto.randomUUID()}`;
  const letter = { id, type, version, occurredAt: 1, projectId, requestId: null, data };
  await withBroker(async (broker) => {
    const channel = await broker.openChannel();
    channel.sendToQueue(deadLetterQueueOf(queue.name), Buffer.from(JSON.stringify(letter)), { messageId: id });
    await channel.waitForConfirms();
    await channel.close();
  });
}

export async function withBroker<T>(work: (broker: Broker) => Promise<T>): Promise<T> {
  const broker = await connectBroker({ url: runningStack().amqpUrl, appName: 'e2e', logger: silentLogger() });
  try {
    await broker.whenConnected(AbortSignal.timeout(10_000));
    return await work(broker);
  } finally {
    await broker.close();
  }
}
