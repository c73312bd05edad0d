import type { Channel } from 'amqplib';
import { EXCHANGE_OF_KIND } from '@clew/contracts';
import { bindingOf, DEAD_EXCHANGE, type QueueSpec } from './queue-spec.ts';

/** Exchange that every queue is bound to by its own name. */
export const DEFAULT_EXCHANGE = '';

/** Waits before the second, third, ... attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [5_000, 30_000, 120_000, 600_000];

/**
 * Delivery limit that is never reached: otherwise a message would be dropped after being examined often among the dead
 * letters. RabbitMQ 4 sets a limit of 20 if none is given, and 3.x rejects the notation for "none".
 */
const UNREACHED_DELIVERY_LIMIT = 1_000_000;

/** Name of the queue in which dead letters wait until somebody replays them. */
export function deadLetterQueueOf(queueName: string): string {
  return `${queueName}.dead`;
}

/** Name of the exchange and of the queue for one retry delay: `clew.retry.30s`. */
export function retryExchangeOf(delayMs: number): string {
  if (delayMs % 60_000 === 0) return `clew.retry.${delayMs / 60_000}m`;
  if (delayMs % 1_000 === 0) return `clew.retry.${delayMs / 1_000}s`;
  return `clew.retry.${delayMs}ms`;
}

const EXCHANGES = [...Object.values(EXCHANGE_OF_KIND), DEAD_EXCHANGE];

/** Rejects if the migration step has not declared the common exchanges. */
export async function checkExchanges(channel: Channel): Promise<void> {
  for (const exchange of EXCHANGES) await channel.checkExchange(exchange);
}

/** Declares the common exchanges and retry queues; safe to repeat. */
export async function declareExchanges(channel: Channel, retryDelaysMs: readonly number[]): Promise<void> {
  for (const exchange of EXCHANGES) await channel.assertExchange(exchange, 'topic', { durable: true });
  for (const delayMs of retryDelaysMs) await declareRetry(channel, delayMs);
}

/**
 * Declares a retry queue with one fixed delay: with a delay per message, a long one would block those behind it.
 * Messages keep their routing key, the name of the queue that failed, so that they return to that queue alone.
 */
async function declareRetry(channel: Channel, delayMs: number): Promise<void> {
  const name = retryExchangeOf(delayMs);
  await channel.assertExchange(name, 'fanout', { durable: true });
  await channel.assertQueue(name, {
    durable: true,
    arguments: { ...reliableQueue(DEFAULT_EXCHANGE), 'x-message-ttl': delayMs },
  });
  await channel.bindQueue(name, name, '');
}

/** Declares a queue, its dead letters and its binding; safe to repeat. Rejects if it exists with other arguments. */
export async function declareQueue(channel: Channel, queue: QueueSpec): Promise<void> {
  const dead = deadLetterQueueOf(queue.name);
  await channel.assertQueue(dead, {
    durable: true,
    arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': UNREACHED_DELIVERY_LIMIT },
  });
  await channel.bindQueue(dead, DEAD_EXCHANGE, queue.name);
  await channel.assertQueue(queue.name, {
    durable: true,
    arguments: {
      ...reliableQueue(DEAD_EXCHANGE),
      'x-dead-letter-routing-key': queue.name,
      'x-delivery-limit': queue.deliveryLimit,
      ...(queue.maxLengthBytes === undefined ? {} : { 'x-max-length-bytes': queue.maxLengthBytes }),
      ...(queue.singleActiveConsumer === true ? { 'x-single-active-consumer': true } : {}),
    },
  });
  const { exchange, routingKey } = bindingOf(queue);
  await channel.bindQueue(queue.name, exchange, routingKey);
}

/** Arguments of a replicated queue that keeps a message until its dead-letter target has confirmed it. */
function reliableQueue(deadLetterExchange: string) {
  return {
    'x-queue-type': 'quorum',
    'x-dead-letter-exchange': deadLetterExchange,
    'x-dead-letter-strategy': 'at-least-once',
    // Required: without it the broker dead-letters at most once.
    'x-overflow': 'reject-publish',
  };
}
