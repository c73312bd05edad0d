import { createHash } from 'node:crypto';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { Broker } from './broker.ts';
import { attemptOf, DEAD_REASON_HEADER, LAST_ERROR_HEADER, portableHeaders } from './headers.ts';
import { closeChannel } from './kept-channel.ts';
import { createPublisher } from './publisher.ts';
import type { QueueSpec } from './queues.ts';
import { deadLetterQueueOf, DEFAULT_EXCHANGE } from './topology.ts';

export interface DeadLetter {
  /** The id of the message; for one without, a hash of its body. */
  id: string;
  /** `attempts-exhausted`, `malformed`, or the broker's own: `delivery_limit`, `rejected`. */
  reason: string;
  attempt: number;
  lastError: string | undefined;
  /** Unix epoch milliseconds of the last time that it was published. */
  publishedAtMs: number | undefined;
  sizeBytes: number;
  body: string;
}

export interface ReplayOptions {
  /** Which ones; all of them when absent. */
  ids?: readonly string[];
  /** How many to look at; 1,000 by default. */
  limit?: number;
}

export interface ReplayResult {
  replayed: number;
  /** Looked at and left where they were. */
  left: number;
}

export interface QueueDepth {
  /** Messages that wait; those in the hands of consumers are not counted. */
  messages: number;
  consumers: number;
  deadLetters: number;
}

/** What one look holds in memory at most. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** The dead letters of a queue, oldest first. They stay where they are; meanwhile nobody else sees them. */
export async function listDeadLetters(
  broker: Broker,
  queue: QueueSpec,
  { limit = 100 }: { limit?: number } = {},
): Promise<DeadLetter[]> {
  return await withChannel(broker, async (channel) => {
    const letters: DeadLetter[] = [];
    for await (const message of heldMessages(channel, deadLetterQueueOf(queue.name), limit)) {
      letters.push(deadLetterOf(message));
    }
    // Closing the channel puts them back in their order, since none was acknowledged.
    return letters;
  });
}

/**
 * Sends dead letters back to the queue that they died on, and to no other, as if never attempted. Each one leaves the
 * dead letters only after the broker confirmed it on the queue. Rejects as a publisher does; what was not sent by then
 * is still among the dead letters.
 */
export async function replayDeadLetters(
  broker: Broker,
  queue: QueueSpec,
  { ids, limit = 1_000 }: ReplayOptions = {},
): Promise<ReplayResult> {
  const wanted = ids === undefined ? undefined : new Set(ids);
  const publisher = createPublisher(broker);
  try {
    return await withChannel(broker, async (channel) => {
      const result: ReplayResult = { replayed: 0, left: 0 };
      for await (const message of heldMessages(channel, deadLetterQueueOf(queue.name), limit)) {
        if (wanted !== undefined && !wanted.has(idOf(message))) {
          result.left += 1;
          continue;
        }
        await publisher.publishRaw(DEFAULT_EXCHANGE, queue.name, message.content, {
          headers: portableHeaders(message.properties),
          ...(typeof message.properties.messageId === 'string' ? { messageId: message.properties.messageId } : {}),
        });
        channel.ack(message);
        result.replayed += 1;
      }
      return result;
    });
  } finally {
    await publisher.close();
  }
}

/** How full a queue and its dead letters are. Rejects when the queue does not exist. */
export async function queueDepth(broker: Broker, queue: QueueSpec): Promise<QueueDepth> {
  return await withChannel(broker, async (channel) => {
    const own = await channel.checkQueue(queue.name);
    const dead = await channel.checkQueue(deadLetterQueueOf(queue.name));
    return { messages: own.messageCount, consumers: own.consumerCount, deadLetters: dead.messageCount };
  });
}

async function withChannel<T>(broker: Broker, work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const channel = await broker.openChannel();
  channel.on('error', (error) => broker.logger.warn({ err: error }, 'broker channel error'));
  try {
    return await work(channel);
  } finally {
    await closeChannel(channel);
  }
}

/** The messages that are there now; one that comes during the walk is left for the next. */
async function* heldMessages(channel: ConfirmChannel, queueName: string, limit: number): AsyncGenerator<GetMessage> {
  const { messageCount } = await channel.checkQueue(queueName);
  let heldBytes = 0;
  for (let index = 0; index < Math.min(limit, messageCount) && heldBytes < MAX_HELD_BYTES; index += 1) {
    const message = await channel.get(queueName, { noAck: false });
    if (message === false) return;
    heldBytes += message.content.length;
    yield message;
  }
}

function idOf({ properties, content }: GetMessage): string {
  if (typeof properties.messageId === 'string') return properties.messageId;
  return createHash('sha256').update(content).digest('hex');
}

function deadLetterOf(message: GetMessage): DeadLetter {
  const { properties, content } = message;
  const lastError: unknown = properties.headers?.[LAST_ERROR_HEADER];
  const ownReason: unknown = properties.headers?.[DEAD_REASON_HEADER];
  const brokerReason = properties.headers?.['x-death']?.[0]?.reason;
  return {
    id: idOf(message),
    reason: typeof ownReason === 'string' ? ownReason : (brokerReason ?? 'unknown'),
    attempt: attemptOf(properties),
    lastError: typeof lastError === 'string' ? lastError : undefined,
    publishedAtMs: typeof properties.timestamp === 'number' ? properties.timestamp * 1000 : undefined,
    sizeBytes: content.length,
    body: content.toString(),
  };
}
