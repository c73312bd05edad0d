import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, silentLogger, useTestEnvironment, useCleanup } from '@clew/testing';
import {
  consume,
  createPublisher,
  listDeadLetters,
  PublishRejectedError,
  queueDepth,
  replayDeadLetters,
  type Broker,
  type Publisher,
  type QueueSpec,
} from './index.ts';
import { envelope, hasLength, openBroker, prepareTopology, queueNamed, type noted } from './test-support/fixture.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let broker: Broker;
let publisher: Publisher;
let queue: QueueSpec<typeof noted>;
let run = 0;

beforeAll(async () => {
  broker = await openBroker(environment.amqpUrl);
  publisher = createPublisher(broker);
});

afterAll(async () => {
  await publisher.close();
  await broker.close();
});

beforeEach(async () => {
  run += 1;
  queue = queueNamed(`dead-${run}`);
  await declare(queue);
});

async function declare(spec: QueueSpec): Promise<void> {
  await prepareTopology(environment.amqpUrl, [spec]);
}

/** Moves messages to the dead letters, like a consumer that fails on them. */
async function bury(...texts: string[]): Promise<void> {
  const failing = consume({ broker, queue, logger, maxAttempts: 1, handle: () => Promise.reject(new Error('no')) });
  for (const text of texts) await publisher.publish(queue.message, envelope(queue.message, text));
  await eventually(async () => expect((await queueDepth(broker, queue)).deadLetters).toBe(texts.length));
  await failing.stop();
}

function idOf(text: string): string {
  return `${queue.message.type}:${text}`;
}

async function deadIds(): Promise<string[]> {
  return (await listDeadLetters(broker, queue)).map(({ id }) => id);
}

describe('listing dead letters', () => {
  it('shows them oldest first, as often as one likes, and loses none', async () => {
    await bury('a', 'b', 'c');
    for (let look = 0; look < 30; look += 1) {
      expect(await deadIds()).toEqual([idOf('a'), idOf('b'), idOf('c')]);
    }
    const [letter] = await listDeadLetters(broker, queue, { limit: 1 });
    expect(letter).toMatchObject({ reason: 'attempts-exhausted', attempt: 1, lastError: 'Error' });
    expect(JSON.parse(letter?.body ?? '')).toEqual(envelope(queue.message, 'a'));
    expect(letter?.publishedAtMs).toBeLessThanOrEqual(Date.now());
  });
});

describe('replaying dead letters', () => {
  it('sends them back to their queue as if never attempted, and only those that are named', async () => {
    await bury('a', 'b', 'c');
    expect(await replayDeadLetters(broker, queue, { ids: [idOf('b')] })).toEqual({ replayed: 1, left: 2 });
    const seen: { text: string; attempt: number }[] = [];
    const consumer = consume({
      broker,
      queue,
      logger,
      handle: async ({ data }, { attempt }) => void seen.push({ text: data.keyId, attempt }),
    });
    cleanup(() => consumer.stop());
    await hasLength(seen, 1);
    expect(await deadIds()).toEqual([idOf('a'), idOf('c')]);
    expect(await replayDeadLetters(broker, queue)).toEqual({ replayed: 2, left: 0 });
    await hasLength(seen, 3);
    expect(seen).toEqual(['b', 'a', 'c'].map((text) => ({ text, attempt: 1 })));
    expect(await deadIds()).toEqual([]);
  });

  it('reaches that queue alone, not the other subscribers of the event', async () => {
    const other = { ...queue, name: `other.${queue.name}` };
    await declare(other);
    await bury('a');
    await replayDeadLetters(broker, queue);
    await eventually(async () => expect((await queueDepth(broker, queue)).messages).toBe(1));
    await eventually(async () => expect((await queueDepth(broker, other)).messages).toBe(1));
  });

  it('keeps what the queue does not take', async () => {
    const small = queueNamed(`small-${run}`, { maxLengthBytes: 500 });
    await declare(small);
    for (let index = 0; index < 8; index += 1) {
      const letter = Buffer.from(JSON.stringify(envelope(small.message, String(index))));
      await publisher.publishRaw('clew.dead', small.name, letter);
    }
    await expect(replayDeadLetters(broker, small)).rejects.toThrow(PublishRejectedError);
    await eventually(async () => {
      const { messages, deadLetters } = await queueDepth(broker, small);
      expect(messages).toBeGreaterThan(0);
      expect(messages + deadLetters).toBe(8);
    });
  });

  it('gives a message that the broker gave up all its attempts again, retries included', async () => {
    await publisher.publish(queue.message, envelope(queue.message, 'a'));
    await dropUntilDead();
    await eventually(async () =>
      expect(await listDeadLetters(broker, queue)).toMatchObject([{ id: idOf('a'), reason: 'delivery_limit' }]),
    );
    expect(await replayDeadLetters(broker, queue)).toEqual({ replayed: 1, left: 0 });
    const attempts: number[] = [];
    const consumer = consume({
      broker,
      queue,
      logger,
      async handle(_, { attempt }) {
        attempts.push(attempt);
        if (attempt < 3) throw new Error('not yet');
      },
    });
    cleanup(() => consumer.stop());
    await hasLength(attempts, 3);
    expect(attempts).toEqual([1, 2, 3]);
  });
});

/**
 * Takes the message and gives it back by closing the channel, like a killed consumer, more often than the limit allows.
 */
async function dropUntilDead(): Promise<void> {
  for (let delivery = 0; delivery <= queue.deliveryLimit; delivery += 1) {
    await eventually(async () => {
      const channel = await broker.openChannel();
      const message = await channel.get(queue.name);
      await channel.close();
      expect(message).not.toBe(false);
    });
  }
}

describe('queueDepth', () => {
  it('counts what waits, the consumers and the dead letters', async () => {
    await bury('a');
    await publisher.publish(queue.message, envelope(queue.message, 'b'));
    await eventually(async () =>
      expect(await queueDepth(broker, queue)).toEqual({ messages: 1, consumers: 0, deadLetters: 1 }),
    );
  });

  it('rejects for a queue that does not exist', async () => {
    await expect(queueDepth(broker, queueNamed('missing'))).rejects.toThrow('NOT_FOUND');
  });
});
