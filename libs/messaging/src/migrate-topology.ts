import { connect, type Channel, type ChannelModel } from 'amqplib';
import type { Logger } from '@clew/runtime';
import { countsOf } from './queue-counts.ts';
import { bindingOf, QUEUES, type QueueSpec } from './queues.ts';
import { deadLetterQueueOf, declareExchanges, declareQueue, RETRY_DELAYS_MS, retryExchangeOf } from './topology.ts';

export interface MigrateTopologyOptions {
  url: string;
  logger: Logger;
  /** Every queue of the table by default. */
  queues?: readonly QueueSpec[];
  retryDelaysMs?: readonly number[];
}

/**
 * Brings the topology of a broker up to date: declares the exchanges, the waiting rooms of retries and every queue with
 * its dead letters, and deletes retired queues that are empty. Safe to repeat, and to run while processes work. Rejects
 * when a queue exists with other arguments: it needs a new version.
 */
export async function migrateTopology(options: MigrateTopologyOptions): Promise<void> {
  const { url, logger, queues = Object.values<QueueSpec>(QUEUES), retryDelaysMs = RETRY_DELAYS_MS } = options;
  const connection = await connect(url);
  connection.on('error', (error: Error) => logger.warn({ err: error }, 'broker connection error'));
  try {
    await onChannel(connection, async (channel) => {
      await declareExchanges(channel, retryDelaysMs);
      for (const queue of queues.filter(({ retired }) => retired !== true)) await declareQueue(channel, queue);
    });
    for (const queue of queues.filter(({ retired }) => retired === true)) {
      if (await deleteIfOver(connection, queue, retryDelaysMs))
        logger.info({ queue: queue.name }, 'retired queue deleted');
    }
  } finally {
    await connection.close();
  }
}

/** A retired queue goes when nothing is in it, in its dead letters, or in a waiting room that may lead back to it. */
async function deleteIfOver(
  connection: ChannelModel,
  queue: QueueSpec,
  retryDelaysMs: readonly number[],
): Promise<boolean> {
  const dead = deadLetterQueueOf(queue.name);
  // While there is something to give up, whoever waits for it is to hear of it.
  if (queue.deadLettersOf !== undefined && (await exists(connection, queue.deadLettersOf))) return false;
  try {
    return await onChannel(connection, async (channel) => {
      const { exchange, routingKey } = bindingOf(queue);
      await channel.unbindQueue(queue.name, exchange, routingKey);
      for (const name of [...retryDelaysMs.map(retryExchangeOf), dead, queue.name]) {
        if (!(await isUnused(channel, name))) return false;
      }
      await channel.deleteQueue(queue.name);
      await channel.deleteQueue(dead);
      return true;
    });
  } catch {
    // It is gone already, or it is not over: the next run looks again.
    return false;
  }
}

/**
 * Whether nothing is in a queue and nobody holds it. What a consumer has in hand is not counted: those of a retired
 * queue let go of it while it is empty. A queue without a leader counts as empty too, but nothing can be taken of it:
 * so that is tried, and rejects then.
 */
async function isUnused(channel: Channel, queueName: string): Promise<boolean> {
  const { messages, consumers } = await countsOf(channel, queueName);
  if (messages > 0 || consumers > 0) return false;
  const message = await channel.get(queueName, { noAck: false });
  if (message === false) return true;
  channel.nack(message);
  return false;
}

async function exists(connection: ChannelModel, queueName: string): Promise<boolean> {
  try {
    await onChannel(connection, (channel) => channel.checkQueue(queueName));
    return true;
  } catch {
    return false;
  }
}

async function onChannel<T>(connection: ChannelModel, work: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await connection.createChannel();
  // The rejection of the call tells of it.
  channel.on('error', () => undefined);
  const result = await work(channel);
  await channel.close();
  return result;
}
