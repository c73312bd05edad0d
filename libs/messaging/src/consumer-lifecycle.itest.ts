import { once } from 'node:events';
import { setTimeout as work } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, silentLogger, useTestEnvironment, useCleanup } from '@clew/testing';
import {
  BrokerUnavailableError,
  consume,
  createPublisher,
  listDeadLetters,
  queueDepth,
  type Broker,
  type Publisher,
  type QueueSpec,
} from './index.ts';
import {
  envelope,
  hasLength,
  openBehindFault,
  openBroker,
  prepareTopology,
  queueNamed,
  type noted,
} from './test-support/fixture.ts';

/** Shorter than in the product, for a broker that answers nothing. */
const SHORT_WAITS = { answerTimeoutMs: 300, closeTimeoutMs: 300 };

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

async function publish(queue: QueueSpec, ...texts: string[]): Promise<void> {
  await Promise.all(texts.map((text) => publisher.publish(queue.message, envelope(queue.message, text))));
}

async function declare(queue: QueueSpec): Promise<void> {
  await prepareTopology(environment.amqpUrl, [queue]);
}

/**
 * Simulates a worker that a message kills: its connection is cut and never comes back. Another worker takes its place,
 * as under a supervisor. Returns the messages that the workers handled, in order.
 */
async function workersThatDieOf(poison: string, queue: QueueSpec<typeof noted>) {
  const handled: string[] = [];
  const deaths: string[] = [];
  const startWorker = async (): Promise<void> => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    const worker = consume({
      broker: behindFault,
      queue,
      logger,
      async handle({ data }, { signal }) {
        if (data.keyId !== poison) {
          await work(20);
          if (!signal.aborted) handled.push(data.keyId);
          return;
        }
        deaths.push(data.keyId);
        fault.block();
        void startWorker();
        await once(signal, 'abort');
      },
    });
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    cleanup(() => worker.stop());
  };
  await startWorker();
  return { handled, deaths };
}

describe('a message that kills its worker', () => {
  const innocents = Array.from({ length: 9 }, (_, index) => `innocent ${index}`);
  const all = [...innocents.slice(0, 4), 'poison', ...innocents.slice(4)];

  it.each([
    ['one message in hand', queueNamed('poison-alone', { prefetch: 1 })],
    ['ten messages in hand', queueNamed('poison-among', { prefetch: 10 })],
  ])('is a dead letter after its deliveries, and takes no other with it: %s', async (_, queue) => {
    await declare(queue);
    await publish(queue, ...all);
    const { handled, deaths } = await workersThatDieOf('poison', queue);
    const letters = await eventually(async () => {
      const found = await listDeadLetters(broker, queue);
      expect(found.length).toBeGreaterThan(0);
      return found;
    });
    await eventually(() => expect(new Set(handled)).toEqual(new Set(innocents)));
    // The letter that was just listed counts again once the broker has it back.
    await eventually(async () =>
      expect(await queueDepth(broker, queue)).toMatchObject({ messages: 0, deadLetters: 1 }),
    );
    expect(letters).toMatchObject([{ id: `${queue.message.type}:poison`, reason: 'delivery_limit' }]);
    expect(deaths).toHaveLength(queue.deliveryLimit + 1);
  });
});

it('a first message that takes long does not keep the others waiting for its answer', async () => {
  const queue = queueNamed('long-first', { prefetch: 3, deliveryLimit: 20 });
  await declare(queue);
  await publish(queue, 'long', 'a', 'b', 'c');
  const answer = Promise.withResolvers<void>();
  const handled: string[] = [];
  const consumer = consume({
    ...{ broker, queue, logger, widenedAfterMs: 100 },
    async handle({ data }) {
      if (data.keyId === 'long') await answer.promise;
      handled.push(data.keyId);
    },
  });
  cleanup(() => consumer.stop());
  await eventually(() => expect(handled.toSorted()).toEqual(['a', 'b', 'c']));
  answer.resolve();
  await hasLength(handled, 4);
});

describe('stopping a consumer', () => {
  it('finishes what is in hand and leaves the rest on the queue', async () => {
    const queue = queueNamed('drained', { prefetch: 2, deliveryLimit: 20 });
    await declare(queue);
    await publish(queue, 'a', 'b', 'c', 'd', 'e');
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const consumer = consume({
      broker,
      queue,
      logger,
      async handle({ data }) {
        begun.push(data.keyId);
        if (begun.length > 1) await gate.promise;
      },
    });
    await hasLength(begun, 3);
    const stopped = consumer.stop();
    gate.resolve();
    await stopped;
    expect(begun).toEqual(['a', 'b', 'c']);
    await eventually(async () => expect(await queueDepth(broker, queue)).toMatchObject({ messages: 2, consumers: 0 }));
  });

  it('tells work that takes too long, and puts its message back', async () => {
    const queue = queueNamed('abandoned', { deliveryLimit: 20 });
    await declare(queue);
    await publish(queue, 'a');
    const aborted: unknown[] = [];
    const begun: string[] = [];
    const consumer = consume({
      broker,
      queue,
      logger,
      drainTimeoutMs: 50,
      async handle({ data }, { signal }) {
        begun.push(data.keyId);
        await once(signal, 'abort');
        aborted.push(data.keyId);
      },
    });
    await hasLength(begun, 1);
    await consumer.stop();
    await hasLength(aborted, 1);
    await eventually(async () => expect((await queueDepth(broker, queue)).messages).toBe(1));
  });

  it('ends at once when the broker is away', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    const queue = queueNamed('away');
    const consumer = consume({ broker: behindFault, queue, logger, handle: async () => undefined });
    await eventually(() => expect(consumer.isSubscribed()).toBe(true));
    fault.block();
    const startedAtMs = Date.now();
    await consumer.stop();
    expect(Date.now() - startedAtMs).toBeLessThan(5_000);
  });
});

describe('stopping a consumer of a broker that answers nothing', () => {
  it.each([
    ['while it subscribes', false],
    ['once it is subscribed', true],
  ])('ends in bounded time: %s', async (_, whenSubscribed) => {
    const { broker: behindFault, fault } = await openBehindFault(environment, SHORT_WAITS);
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    const queue = queueNamed('hung');
    const stalledAtOnce = whenSubscribed ? undefined : fault.stallAfter(queue.name);
    const consumer = consume({
      broker: behindFault,
      queue,
      logger,
      handle: async () => undefined,
    });
    if (whenSubscribed) await eventually(() => expect(consumer.isSubscribed()).toBe(true));
    const stalled = stalledAtOnce ?? fault.stallAfter(queue.name);
    // Sends the queue's name to the broker, for a stall that was set after the subscription had sent it.
    const asked = consumer.backlog().catch(() => undefined);
    await stalled;
    const startedAtMs = Date.now();
    await consumer.stop();
    expect(Date.now() - startedAtMs).toBeLessThan(4_000);
    fault.block();
    await asked;
  });
});

describe('the heartbeat of a consumer', () => {
  it('goes on while it is idle, and while the broker is away', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment, { checkIntervalMs: 50 });
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    const queue = queueNamed('idle');
    const consumer = consume({ broker: behindFault, queue, logger, handle: async () => undefined });
    cleanup(() => consumer.stop());
    await eventually(() => expect(consumer.isSubscribed()).toBe(true));
    await heartbeats(consumer.heartbeatAgeMs, 10);
    fault.block();
    await eventually(() => expect(behindFault.isConnected()).toBe(false));
    await heartbeats(consumer.heartbeatAgeMs, 10);
  });

  it('goes on while the broker holds the connection and answers nothing: a restart would not help', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment, { checkIntervalMs: 50, ...SHORT_WAITS });
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    const queue = queueNamed('silent');
    const consumer = consume({ broker: behindFault, queue, logger, handle: async () => undefined });
    cleanup(() => consumer.stop());
    await eventually(() => expect(consumer.isSubscribed()).toBe(true));
    await fault.stallAfter(queue.name);
    await heartbeats(consumer.heartbeatAgeMs, 10);
    await expect(consumer.backlog()).rejects.toThrow(BrokerUnavailableError);
    fault.block();
  });

  it('stops while one message stays in hand, unless its handler shows progress', async () => {
    const queue = queueNamed('stuck');
    const gate = Promise.withResolvers<void>();
    const heartbeats: (() => void)[] = [];
    const watched = await openBroker(environment.amqpUrl, { checkIntervalMs: 20 });
    cleanup(() => watched.close());
    const consumer = consume({
      broker: watched,
      queue,
      logger,
      async handle(_, { heartbeat }) {
        heartbeats.push(heartbeat);
        await gate.promise;
      },
    });
    cleanup(() => consumer.stop());
    await eventually(() => publish(queue, 'a'));
    await hasLength(heartbeats, 1);
    await eventually(() => expect(consumer.heartbeatAgeMs()).toBeGreaterThan(200));
    heartbeats[0]?.();
    expect(consumer.heartbeatAgeMs()).toBeLessThan(200);
    await eventually(() => expect(consumer.heartbeatAgeMs()).toBeGreaterThan(200));
    gate.resolve();
    await eventually(() => expect(consumer.heartbeatAgeMs()).toBeLessThan(100));
  });
});

/** Waits until the age of the heartbeat has dropped this many times. */
async function heartbeats(heartbeatAgeMs: () => number, times: number): Promise<void> {
  for (let heartbeat = 0; heartbeat < times; heartbeat += 1) {
    let highestMs = heartbeatAgeMs();
    await eventually(() => {
      const ageMs = heartbeatAgeMs();
      highestMs = Math.max(highestMs, ageMs);
      expect(ageMs).toBeLessThan(highestMs);
    });
  }
}
