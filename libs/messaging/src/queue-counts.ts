import type { Channel } from 'amqplib';
import { BrokerUnavailableError } from './errors.ts';

export interface QueueCounts {
  /** Messages that wait; those in the hands of consumers are not counted. */
  messages: number;
  consumers: number;
}

/**
 * How long RabbitMQ waits for the leader of a quorum queue. After it, it answers that there is nothing in the queue, as
 * for an empty one (seen in 3.10); an answer that came sooner was the leader's.
 */
const LEADER_TIMEOUT_MS = 250;
const LOOKS = 5;

/**
 * What a queue holds. An answer of nothing that took as long as the broker waits for a leader is not believed, and
 * asked for again. Rejects where the queue does not exist (and the broker then closes the channel), and with
 * `BrokerUnavailableError` where no answer can be believed.
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
