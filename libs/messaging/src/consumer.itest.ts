import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@clew/kernel';
import type { WorkOutcome } from '@clew/runtime';
import { eventually, silentLogger, useTestEnvironment, useCleanup } from '@clew/testing';
import {
  consume,
  createPublisher,
  listDeadLetters,
  queueDepth,
  type Broker,
  type Consumer,
  type ConsumeOptions,
  type Publisher,
  type QueueSpec,
} from './index.ts';
import {
  cutConnections,
  envelope,
  hasLength,
  openBehindFault,
  openBroker,
  queueNamed,
  RETRY_DELAYS_MS,
  type noted,
} from './test-support/fixture.ts';

type Options = ConsumeOptions<typeof noted>;

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let broker: Broker;
let publisher: Publisher;

beforeAll(async () => {
  broker = await openBroker(environment.amqpUrl);
  publisher = createPublisher(broker);
});

afterAll(async () => {
  await publisher.close();
  await broker.close();
});

async function start(options: Pick<Options, 'queue' | 'handle'> & Partial<Options>): Promise<Consumer> {
  const consumer = consume({ broker, logger, ...options });
  cleanup(() => consumer.stop());
  await eventually(() => expect(consumer.isSubscribed()).toBe(true));
  return consumer;
}

async function publish(queue: QueueSpec, ...texts: string[]): Promise<void> {
  await Promise.all(texts.map((text) => publisher.publish(queue.message, envelope(queue.message, text))));
}

async function isEmpty(queue: QueueSpec): Promise<void> {
  await eventually(async () => expect(await queueDepth(broker, queue)).toMatchObject({ messages: 0, deadLetters: 0 }));
}

describe('a message', () => {
  it('is handled once, with its envelope, and leaves its queue', async () => {
    const queue = queueNamed('handled');
    const seen: unknown[] = [];
    const consumer = await start({
      queue,
      async handle(received, { attempt }) {
        seen.push({ received, attempt });
      },
    });
    await publish(queue, 'a');
    await hasLength(seen, 1);
    expect(seen).toEqual([{ received: envelope(queue.message, 'a'), attempt: 1 }]);
    await consumer.stop();
    await isEmpty(queue);
  });

  it('that fails comes again after each delay of the ladder, and is a dead letter after the last attempt', async () => {
    const queue = queueNamed('failing');
    const attempts: { attempt: number; atMs: number }[] = [];
    await start({
      queue,
      async handle(_, { attempt }) {
        attempts.push({ attempt, atMs: performance.now() });
        throw new AppError('UPSTREAM_TIMEOUT', 'The model did not answer');
      },
    });
    await publish(queue, 'a');
    const [letter] = await eventually(async () => {
      const letters = await listDeadLetters(broker, queue);
      expect(letters).toHaveLength(1);
      return letters;
    });
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    RETRY_DELAYS_MS.forEach((delayMs, index) => {
      const waitedMs = (attempts[index + 1]?.atMs ?? 0) - (attempts[index]?.atMs ?? 0);
      expect(waitedMs).toBeGreaterThanOrEqual(delayMs - 5);
    });
    expect(letter).toMatchObject({
      id: 'test.failing.noted:a',
      reason: 'attempts-exhausted',
      attempt: 3,
      lastError: 'UPSTREAM_TIMEOUT: The model did not answer',
    });
  });

  it('is told with how long each attempt took, and how it ended', async () => {
    const queue = queueNamed('told');
    const ended: { durationMs: number; outcome: WorkOutcome }[] = [];
    const consumer = await start({
      queue,
      async handle(_, { attempt }) {
        if (attempt === 1) throw new AppError('UPSTREAM_TIMEOUT', 'The model did not answer');
      },
    });
    consumer.onWorkEnded?.((work) => ended.push(work));
    await publish(queue, 'a');
    await hasLength(ended, 2);
    expect(ended.map(({ outcome }) => outcome)).toEqual(['failed', 'done']);
    expect(ended.every(({ durationMs }) => durationMs > 0 && durationMs < 10_000)).toBe(true);
  });

  it('that fails for one subscriber comes back to that one alone', async () => {
    const failing = queueNamed('shared', { name: 'failing-subscriber.shared.v1' });
    const content = queueNamed('shared', { name: 'content-subscriber.shared.v1' });
    const seenByFailing: number[] = [];
    const seenByContent: number[] = [];
    await start({
      queue: failing,
      async handle(_, { attempt }) {
        seenByFailing.push(attempt);
        if (attempt < 3) throw new Error('not yet');
      },
    });
    await start({
      queue: content,
      async handle(_, { attempt }) {
        seenByContent.push(attempt);
      },
    });
    await publish(failing, 'a');
    await hasLength(seenByFailing, 3);
    await isEmpty(failing);
    await isEmpty(content);
    expect({ seenByFailing, seenByContent }).toEqual({ seenByFailing: [1, 2, 3], seenByContent: [1] });
  });

  it('that is malformed is a dead letter at once, and its handler never sees it', async () => {
    const queue = queueNamed('malformed');
    const seen: string[] = [];
    await start({
      queue,
      async handle({ data }) {
        seen.push(data.keyId);
      },
    });
    const { id: _, ...withoutId } = envelope(queue.message, 'x');
    await publisher.publishRaw('', queue.name, Buffer.from('{"not json'), { messageId: 'broken' });
    await publisher.publishRaw('', queue.name, Buffer.from(JSON.stringify(withoutId)), { messageId: 'no id' });
    await publish(queue, 'good');
    await hasLength(seen, 1);
    const letters = await eventually(async () => {
      const found = await listDeadLetters(broker, queue);
      expect(found).toHaveLength(2);
      return found;
    });
    expect(seen).toEqual(['good']);
    expect(letters.map(({ id, reason, attempt }) => ({ id, reason, attempt }))).toEqual([
      { id: 'broken', reason: 'malformed', attempt: 1 },
      { id: 'no id', reason: 'malformed', attempt: 1 },
    ]);
  });

  it('takes no words of an unexpected error with it, which may hold a secret', async () => {
    const queue = queueNamed('secretive');
    await start({ queue, maxAttempts: 1, handle: () => Promise.reject(new TypeError('password=hunter2')) });
    await publish(queue, 'a');
    const [letter] = await eventually(async () => {
      const letters = await listDeadLetters(broker, queue);
      expect(letters).toHaveLength(1);
      return letters;
    });
    expect(letter?.lastError).toBe('TypeError');
  });
});

describe('a lost connection', () => {
  it('is followed by a new subscription, and what was in hand comes again', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    const queue = queueNamed('lost', { prefetch: 5, deliveryLimit: 10 });
    const seen: string[] = [];
    await start({
      broker: behindFault,
      queue,
      async handle({ data }, { signal }) {
        seen.push(data.keyId);
        // The first time, the connection is lost while the message is in hand.
        if (seen.length > 1) return;
        // After this round trip, a premature answer would have arrived.
        await queueDepth(behindFault, queue);
        cutConnections(fault);
        await once(signal, 'abort');
      },
    });
    await publish(queue, 'a');
    await hasLength(seen, 2);
    await publish(queue, 'b');
    await hasLength(seen, 3);
    await isEmpty(queue);
    expect(seen).toEqual(['a', 'a', 'b']);
  });

  it('makes no second copy of a message whose handler fails for it', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    const queue = queueNamed('single');
    const seen: number[] = [];
    await start({
      broker: behindFault,
      queue,
      async handle(_, { attempt, signal }) {
        seen.push(attempt);
        if (seen.length > 1) return;
        cutConnections(fault);
        await once(signal, 'abort');
        throw new Error('connection lost');
      },
    });
    await publish(queue, 'a');
    await hasLength(seen, 2);
    await isEmpty(queue);
    // Nothing is left on the retry queues either: a later message comes alone.
    await publish(queue, 'b');
    await hasLength(seen, 3);
    expect(seen).toEqual([1, 1, 1]);
  });

  it('does not let more messages be in hand than the prefetch, also while old handlers still run', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    const queue = queueNamed('bounded');
    const gate = Promise.withResolvers<void>();
    let running = 0;
    let mostRunning = 0;
    const begun: string[] = [];
    const consumer = await start({
      broker: behindFault,
      queue,
      async handle({ data }) {
        begun.push(data.keyId);
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        await gate.promise;
        running -= 1;
      },
    });
    await publish(queue, 'a');
    await hasLength(begun, 1);
    cutConnections(fault);
    await eventually(() => expect(consumer.isSubscribed()).toBe(false));
    await eventually(() => expect(consumer.isSubscribed()).toBe(true));
    await eventually(async () => expect((await queueDepth(broker, queue)).messages).toBe(0));
    gate.resolve();
    await hasLength(begun, 2);
    await isEmpty(queue);
    expect({ begun, mostRunning }).toEqual({ begun: ['a', 'a'], mostRunning: 1 });
  });
});

describe('a subscription', () => {
  it('is made again, with its queue, when the queue is deleted', async () => {
    const queue = queueNamed('deleted');
    const seen: string[] = [];
    const consumer = await start({
      queue,
      async handle({ data }) {
        seen.push(data.keyId);
      },
    });
    const channel = await broker.openChannel();
    await channel.deleteQueue(queue.name);
    await channel.close();
    await eventually(() => publish(queue, 'a'));
    await hasLength(seen, 1);
    expect(consumer.isSubscribed()).toBe(true);
  });
});
