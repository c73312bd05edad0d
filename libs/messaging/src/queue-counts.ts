import type { Channel } from 'amqplib';
import { BrokerUnavailableError } from './errors.ts';

export interface QueueCounts {
  /** Messages that wait; those in the hands of consumers are not counted. */
  messages: number;
  consumers: number;
}

/**
 * Time that RabbitMQ waits for the leader of a quorum queue. After that it answers that the queue is empty (seen in
 * 3.10); an earlier answer came from the leader.
 */
const LEADER_TIMEOUT_MS = 250;
const LOOKS = 5;

/**
 * Counts the messages and consumers of a queue. An answer of zero that took as long as the wait for a leader is not
 * trusted, and the question is repeated. Rejects if the queue does not exist (the broker then closes the channel), and
 * with `BrokerUnavailableError` if no answer can be trusted.
 */
export async function countsOf(channel: Pick<Channel, 'checkQueue'>, queueName: string): Promise<QueueCounts> {
  for (let look = 0; look < LOOKS; look += 1) {
    const askedAtMs = performance.now();
    const { messageCount, consumerCount } = await channel.checkQueue(queueName);
    const isOfLeader = performance.now() - askedAtMs < LEADER_TIMEOUT_MS;
    if (isOfLeader || messageCount > 0 || consumerCount > 0)
      return { messages: messageCount, consumers: consumerCount };
  }
  throw new BrokerUnavailableError(`The broker does not say what ${queueName} holds`);
}
