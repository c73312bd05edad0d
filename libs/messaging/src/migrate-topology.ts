import { connect, type Channel, type ChannelModel } from 'amqplib';
import type { Logger } from '@clew/runtime';
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
  try {
    return await onChannel(connection, async (channel) => {
      const { exchange, routingKey } = bindingOf(queue);
      await channel.unbindQueue(queue.name, exchange, routingKey);
      for (const name of [...retryDelaysMs.map(retryExchangeOf), dead, queue.name]) {
        const { messageCount, consumerCount } = await channel.checkQueue(name);
        // What a consumer has in hand is not counted: those of a retired queue let go of it while it is empty.
        if (messageCount > 0 || consumerCount > 0) return false;
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

async function onChannel<T>(connection: ChannelModel, work: (channel: Channel) => Promise<T>): Promise<T> {
  const channel = await connection.createChannel();
  // The rejection of the call tells of it.
  channel.on('error', () => undefined);
  const result = await work(channel);
  await channel.close();
  return result;
}
