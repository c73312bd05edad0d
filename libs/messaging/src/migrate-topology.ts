import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import type { Logger } from '@clew/runtime';
import { CONNECT_TIMEOUT_MS } from './connection.ts';
import { countsOf } from './queue-counts.ts';
import { bindingOf, type QueueSpec } from './queue-spec.ts';
import { QUEUES } from './queues.ts';
import { deadLetterQueueOf, declareExchanges, declareQueue, RETRY_DELAYS_MS, retryExchangeOf } from './topology.ts';

export interface MigrateTopologyOptions {
  url: string;
  logger: Logger;
  /** Queues to migrate; every queue of the table by default. */
  queues?: readonly QueueSpec[];
  retryDelaysMs?: readonly number[];
}

/**
 * Migrates the topology of a broker: declares the exchanges, the retry queues and every queue with its dead letters,
 * and deletes retired queues that are empty. Safe to repeat, and to run while processes work. Rejects if a queue exists
 * with other arguments: it needs a new version.
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

const LOOK_EVERY_MS = 1_000;
/** Interval at which a broker outage is logged. */
const TELL_EVERY_MS = 60_000;

/** Resolves once the broker accepts connections; rejects with the reason of the signal if that comes first. */
export async function brokerThere(
  url: string,
  { signal, logger }: { signal: AbortSignal; logger: Logger },
): Promise<void> {
  for (let toldAtMs = -Infinity; ;) {
    try {
      const connection = await connect(url, { timeout: CONNECT_TIMEOUT_MS });
      return await connection.close();
    } catch (error) {
      signal.throwIfAborted();
      if (Date.now() - toldAtMs >= TELL_EVERY_MS) {
        toldAtMs = Date.now();
        logger.warn({ err: error }, 'the broker is away');
      }
    }
    await sleep(LOOK_EVERY_MS);
  }
}

/** Deletes a retired queue if nothing is in it, in its dead letters, or in a retry queue that may lead back to it. */
async function deleteIfOver(
  connection: ChannelModel,
  queue: QueueSpec,
  retryDelaysMs: readonly number[],
): Promise<boolean> {
  const dead = deadLetterQueueOf(queue.name);
  // While work may still be given up, the queue that reports it must stay.
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
    // The queue is gone already, or still in use: the next run checks again.
    return false;
  }
}

/**
 * Tells whether a queue is empty and without consumers. Messages in a consumer's hands are not counted, but the
 * consumers of a retired queue let go of it only while it is empty. A queue without a leader also counts as empty, but
 * nothing can be taken from it; so taking a message is tried, and that rejects.
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
  // The rejection of the call reports the error.
  channel.on('error', () => undefined);
  const result = await work(channel);
  await channel.close();
  return result;
}
