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
/** Where messages stay: between two attempts, and dead. The queues of consumers are empty once they have been read. */
const WAITING = [...RETRY_DELAYS_MS.map(retryExchangeOf), ...IN_USE.map(({ name }) => deadLetterQueueOf(name))];

/** All messages that wait for another attempt, or are dead, one queue after another. */
export async function* waitingMessages(): AsyncGenerator<[queue: string, text: string]> {
  for (const queue of WAITING) yield [queue, await withBroker((broker) => textOf(broker, queue))];
}

/** All that waits in a queue; it goes back to its place. */
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

/** How many messages wait in each of the consumers' queues that is not empty. */
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

/** Puts a letter among the dead ones of a queue, as a consumer does that has given it up. */
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
