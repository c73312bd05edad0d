import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WorkOutcome } from '@clew/runtime';
import { eventually, silentLogger, useTestEnvironment, useCleanup } from '@clew/testing';
import {
  consumeBatches,
  createPublisher,
  listDeadLetters,
  queueDepth,
  type Broker,
  type ConsumeBatchesOptions,
  type Consumer,
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
  type Noted,
} from './test-support/fixture.ts';

type Options = ConsumeBatchesOptions<typeof noted>;

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

/** Queue of results, which processes many messages at a time. */
function resultQueue(name: string, overrides: Partial<QueueSpec<typeof noted>> = {}): QueueSpec<typeof noted> {
  return queueNamed(name, { prefetch: 100, deliveryLimit: 20, ...overrides });
}

function start(options: Pick<Options, 'queue' | 'handle'> & Partial<Options>): Consumer {
  const consumer = consumeBatches({ broker, logger, ...options });
  cleanup(() => consumer.stop());
  return consumer;
}

async function declareWith(queue: QueueSpec, ...texts: string[]): Promise<void> {
  await prepareTopology(environment.amqpUrl, [queue]);
  await publish(queue, ...texts);
}

async function publish(queue: QueueSpec, ...texts: string[]): Promise<void> {
  await Promise.all(texts.map((text) => publisher.publish(queue.message, envelope(queue.message, text))));
}

function textsOf(envelopes: readonly Noted[]): string[] {
  return envelopes.map(({ data }) => data.keyId);
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`);

describe('a batch', () => {
  it('holds what is there, in order, up to its size, one batch at a time', async () => {
    const queue = resultQueue('batched');
    await declareWith(queue, ...numbered(121));
    const batches: string[][] = [];
    let running = 0;
    start({
      queue,
      maxBatch: 50,
      async handle(envelopes) {
        running += 1;
        expect(running).toBe(1);
        batches.push(textsOf(envelopes));
        await new Promise(setImmediate);
        running -= 1;
      },
    });
    await eventually(() => expect(batches.flat()).toEqual(numbered(121)));
    // The first message is alone, because a subscription begins with one message at a time.
    expect(batches[0]).toEqual(['m0']);
    expect(Math.max(...batches.map(({ length }) => length))).toBe(50);
  });

  it('does not wait for more than the wait time', async () => {
    const queue = resultQueue('waiting');
    await declareWith(queue);
    const handledAtMs: number[] = [];
    start({ queue, maxWaitMs: 10, handle: async () => void handledAtMs.push(performance.now()) });
    const publishedAtMs = performance.now();
    await publish(queue, 'a');
    await hasLength(handledAtMs, 1);
    expect((handledAtMs[0] ?? 0) - publishedAtMs).toBeLessThan(10_000);
  });

  it('waits for the time between two batches, and then holds all that came meanwhile', async () => {
    const queue = resultQueue('spaced');
    await declareWith(queue);
    const everyMs = 400;
    const begun: { texts: string[]; atMs: number }[] = [];
    const handle: Options['handle'] = async (envelopes) =>
      void begun.push({ texts: textsOf(envelopes), atMs: performance.now() });
    start({ queue, everyMs, handle });
    await publish(queue, 'a');
    await hasLength(begun, 1);
    await publish(queue, 'b');
    await publish(queue, 'c');
    await hasLength(begun, 2);
    expect(begun.map(({ texts }) => texts)).toEqual([['a'], ['b', 'c']]);
    const [first, second] = begun.map(({ atMs }) => atMs) as [number, number];
    // A timer may fire a millisecond early.
    expect(second - first).toBeGreaterThanOrEqual(everyMs - 2);
  });

  it('that fails is taken apart: the message at fault is dead-lettered alone, the others take effect', async () => {
    const queue = resultQueue('poisoned');
    await declareWith(queue, ...numbered(20), 'poison', ...numbered(40).slice(20));
    const effects: string[] = [];
    let together = 0;
    start({
      queue,
      async handle(envelopes) {
        const texts = textsOf(envelopes);
        together = Math.max(together, texts.length);
        // All or nothing, like a transaction.
        if (texts.includes('poison')) throw new Error('no');
        effects.push(...texts);
      },
    });
    const letters = await eventually(async () => {
      const found = await listDeadLetters(broker, queue);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(letters).toMatchObject([{ id: `${queue.message.type}:poison`, reason: 'attempts-exhausted', attempt: 3 }]);
    expect(effects.toSorted()).toEqual(numbered(40).toSorted());
    expect(together).toBeGreaterThan(1);
    await eventually(async () => expect((await queueDepth(broker, queue)).messages).toBe(0));
  });

  it('is told once, with how it ended', async () => {
    const queue = resultQueue('told');
    await declareWith(queue);
    const ended: WorkOutcome[] = [];
    let fails = true;
    const consumer = start({
      queue,
      async handle() {
        if (fails) throw new Error('no');
      },
    });
    consumer.onWorkEnded?.(({ outcome }) => {
      ended.push(outcome);
      fails = false;
    });
    await publish(queue, 'a');
    await eventually(() => expect(ended).toEqual(['failed', 'done']));
  });

  it('goes on without what is malformed in it', async () => {
    const queue = resultQueue('malformed');
    await declareWith(queue, 'a', 'b');
    await publisher.publishRaw('', queue.name, Buffer.from('?'), { messageId: 'broken' });
    await publish(queue, 'c');
    const effects: string[] = [];
    start({ queue, handle: async (envelopes) => void effects.push(...textsOf(envelopes)) });
    await hasLength(effects, 3);
    expect(effects).toEqual(['a', 'b', 'c']);
    await eventually(async () =>
      expect(await listDeadLetters(broker, queue)).toMatchObject([{ id: 'broken', reason: 'malformed' }]),
    );
  });
});

describe('a single active consumer', () => {
  it('has the queue for itself until it ends, and then another one has it', async () => {
    const queue = resultQueue('single', { singleActiveConsumer: true });
    await declareWith(queue);
    const seen: string[] = [];
    const by = (name: string) => async (envelopes: readonly Noted[]) =>
      void seen.push(...textsOf(envelopes).map((text) => `${name} ${text}`));
    const first = start({ queue, handle: by('first') });
    await eventually(() => expect(first.isSubscribed()).toBe(true));
    start({ queue, handle: by('second') });
    await publish(queue, ...numbered(5));
    await hasLength(seen, 5);
    // Widening hands the queue over once; from then on one of the consumers keeps it.
    const active = seen.at(-1)?.split(' ')[0];
    await publish(queue, ...numbered(10).slice(5));
    await hasLength(seen, 10);
    expect(new Set(seen.slice(5).map((entry) => entry.split(' ')[0]))).toEqual(new Set([active]));
  });
});

describe('a message that kills the worker of a batch', () => {
  it('is a dead letter after its deliveries, and takes no other with it', async () => {
    const queue = resultQueue('killing', { deliveryLimit: 3 });
    await declareWith(queue, ...numbered(10), 'poison', ...numbered(30).slice(10));
    const effects: string[] = [];
    let deaths = 0;
    const startWorker = async (): Promise<void> => {
      const { broker: behindFault, fault } = await openBehindFault(environment);
      const worker = consumeBatches({
        broker: behindFault,
        queue,
        logger,
        async handle(envelopes, { signal }) {
          if (!textsOf(envelopes).includes('poison')) {
            effects.push(...textsOf(envelopes));
            return;
          }
          deaths += 1;
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
    await eventually(() => expect(new Set(effects)).toEqual(new Set(numbered(30))));
    await eventually(async () =>
      expect(await listDeadLetters(broker, queue)).toMatchObject([
        { id: `${queue.message.type}:poison`, reason: 'delivery_limit' },
      ]),
    );
    expect(deaths).toBe(queue.deliveryLimit + 1);
  });
});

describe('stopping a batch consumer', () => {
  it('finishes the batch in hand and leaves the rest on the queue', async () => {
    const queue = resultQueue('stopped');
    await declareWith(queue, ...numbered(30));
    const gate = Promise.withResolvers<void>();
    const batches: string[][] = [];
    const consumer = consumeBatches({
      broker,
      queue,
      logger,
      maxBatch: 10,
      async handle(envelopes) {
        batches.push(textsOf(envelopes));
        if (batches.length > 1) await gate.promise;
      },
    });
    await hasLength(batches, 2);
    const stopped = consumer.stop();
    const begun = batches.flat().length;
    // Other consumers need not wait for the batch in hand.
    await eventually(async () => expect((await queueDepth(broker, queue)).messages).toBe(30 - begun));
    gate.resolve();
    await stopped;
    expect(batches).toHaveLength(2);
    await eventually(async () => expect((await queueDepth(broker, queue)).messages).toBe(30 - begun));
  });
});
