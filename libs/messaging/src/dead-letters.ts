import { createHash } from 'node:crypto';
import type { ConfirmChannel, GetMessage } from 'amqplib';
import type { Broker } from './broker.ts';
import { attemptOf, DEAD_REASON_HEADER, LAST_ERROR_HEADER, portableHeaders } from './headers.ts';
import { closeChannel } from './kept-channel.ts';
import { createPublisher } from './publisher.ts';
import { countsOf, type QueueCounts } from './queue-counts.ts';
import type { QueueSpec } from './queue-spec.ts';
import { deadLetterQueueOf, DEFAULT_EXCHANGE } from './topology.ts';

export interface DeadLetter {
  /** Id of the message; for one without, a hash of its body. */
  id: string;
  /** `attempts-exhausted`, `malformed`, or a reason of the broker: `delivery_limit`, `rejected`. */
  reason: string;
  attempt: number;
  lastError: string | undefined;
  /** Time of its last publishing, in Unix epoch milliseconds. */
  publishedAtMs: number | undefined;
  sizeBytes: number;
  body: string;
}

export interface ReplayOptions {
  /** Ids of the letters to replay; all of them if absent. */
  ids?: readonly string[];
  /** Maximum number of letters to examine; 1,000 by default. */
  limit?: number;
}

export interface ReplayResult {
  replayed: number;
  /** Number of letters that were examined and left in place. */
  left: number;
}

export interface QueueDepth extends QueueCounts {
  deadLetters: number;
}

/** Maximum memory for the messages of one operation. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** Lists the dead letters of a queue, oldest first. They stay in place; meanwhile they are invisible to others. */
export async function listDeadLetters(
  broker: Broker,
  queue: QueueSpec,
  { limit = 100 }: { limit?: number } = {},
): Promise<DeadLetter[]> {
  return await withHeldMessages(broker, deadLetterQueueOf(queue.name), limit, async (messages) =>
    messages.map(deadLetterOf),
  );
}

/**
 * Sends dead letters back to the queue that they died on, and to no other, as if never attempted. Each one leaves the
 * dead letters only after the broker confirmed it on the queue. Rejects like a publisher; letters not sent by then are
 * still among the dead letters.
 */
export async function replayDeadLetters(
  broker: Broker,
  queue: QueueSpec,
  { ids, limit = 1_000 }: ReplayOptions = {},
): Promise<ReplayResult> {
  const publisher = createPublisher(broker);
  try {
    return await withHeldMessages(broker, deadLetterQueueOf(queue.name), limit, async (messages, channel) => {
      const wanted = ids === undefined ? messages : messages.filter((message) => ids.includes(idOf(message)));
      for (const message of wanted) {
        await publisher.publishRaw(DEFAULT_EXCHANGE, queue.name, message.content, {
          headers: portableHeaders(message.properties),
          ...(typeof message.properties.messageId === 'string' ? { messageId: message.properties.messageId } : {}),
        });
        channel.ack(message);
      }
      return { replayed: wanted.length, left: messages.length - wanted.length };
    });
  } finally {
    await publisher.close();
  }
}

/**
 * Counts the messages of a queue and its dead letters. Messages that were just listed or given back may not be counted
 * yet. Rejects if the queue does not exist, and if the broker does not know the counts.
 */
export async function queueDepth(broker: Broker, queue: QueueSpec): Promise<QueueDepth> {
  return await withChannel(broker, async (channel) => {
    const own = await countsOf(channel, queue.name);
    const { messages: deadLetters } = await countsOf(channel, deadLetterQueueOf(queue.name));
    return { ...own, deadLetters };
  });
}

/** Runs work on a channel of its own. */
export async function withChannel<T>(broker: Broker, work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
  const channel = await broker.openChannel();
  channel.on('error', (error) => broker.logger.warn({ err: error }, 'broker channel error'));
  try {
    return await work(channel);
  } finally {
    await closeChannel(channel, broker.consuming.answerTimeoutMs);
  }
}

/** Works on the messages of a queue; those that it does not acknowledge go back to their places. */
async function withHeldMessages<T>(
  broker: Broker,
  queueName: string,
  limit: number,
  work: (messages: GetMessage[], channel: ConfirmChannel) => Promise<T>,
): Promise<T> {
  return await withChannel(broker, async (channel) => {
    try {
      // Holds all of them first, so that one that comes back during the work is not seen twice.
      return await work(await holdMessages(channel, queueName, limit), channel);
    } finally {
      await giveBackAll(channel, queueName);
    }
  });
}

/** Gives back the messages that were taken from a queue and not acknowledged, each at its place. */
export async function giveBackAll(channel: ConfirmChannel, queueName: string): Promise<void> {
  try {
    channel.nackAll(true);
    // With this answer the broker has taken them back: the next reader finds them.
    await channel.checkQueue(queueName);
  } catch {
    // The channel is gone, and its end has given them back.
  }
}

async function holdMessages(channel: ConfirmChannel, queueName: string, limit: number): Promise<GetMessage[]> {
  const messages: GetMessage[] = [];
  let heldBytes = 0;
  while (messages.length < limit && heldBytes < MAX_HELD_BYTES) {
    const message = await channel.get(queueName, { noAck: false });
    if (message === false) break;
    messages.push(message);
    heldBytes += message.content.length;
  }
  return messages;
}

function idOf({ properties, content }: GetMessage): string {
  if (typeof properties.messageId === 'string') return properties.messageId;
  return createHash('sha256').update(content).digest('hex');
}

function deadLetterOf(message: GetMessage): DeadLetter {
  const { properties, content } = message;
  const lastError: unknown = properties.headers?.[LAST_ERROR_HEADER];
  return {
    id: idOf(message),
    reason: reasonOf(message),
    attempt: attemptOf(properties),
    lastError: typeof lastError === 'string' ? lastError : undefined,
    publishedAtMs: typeof properties.timestamp === 'number' ? properties.timestamp * 1000 : undefined,
    sizeBytes: content.length,
    body: content.toString(),
  };
}

/** Reason for the death of a message, from its consumer or else from the broker. */
export function reasonOf({ properties }: GetMessage): string {
  const ownReason: unknown = properties.headers?.[DEAD_REASON_HEADER];
  if (typeof ownReason === 'string') return ownReason;
  return properties.headers?.['x-death']?.[0]?.reason ?? 'unknown';
}
