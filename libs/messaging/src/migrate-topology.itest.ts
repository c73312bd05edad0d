import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, silentLogger, useCleanup, useTestEnvironment } from '@clew/testing';
import {
  brokerThere,
  consume,
  createPublisher,
  deadLetterQueueOf,
  listDeadLetters,
  migrateTopology,
  QUEUES,
  queueDepth,
  replayDeadLetters,
  type Broker,
  type Publisher,
  type QueueSpec,
} from './index.ts';
import type { noted } from './test-support/fixture.ts';
import { createFault, envelope, hasLength, openBroker, prepareTopology, queueNamed } from './test-support/fixture.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let broker: Broker;
let publisher: Publisher;

beforeAll(async () => {
  broker = await openBroker(environment.amqpUrl, { checkIntervalMs: 50 });
  publisher = createPublisher(broker);
});

afterAll(async () => {
  await publisher.close();
  await broker.close();
});

/** Creates a queue as the table defines it: declared only by the migration. */
function tableQueue(name: string, overrides: Partial<QueueSpec<typeof noted>> = {}): QueueSpec<typeof noted> {
  const { declaredByConsumer: _declared, ...queue } = queueNamed(name, overrides);
  return queue;
}

function take(queue: QueueSpec<typeof noted>): string[] {
  const taken: string[] = [];
  const consumer = consume({ broker, queue, logger, handle: async ({ data }) => void taken.push(data.keyId) });
  cleanup(() => consumer.stop());
  return taken;
}

async function exists(queue: QueueSpec): Promise<boolean> {
  return queueDepth(broker, queue).then(
    () => true,
    () => false,
  );
}

describe('the wait for a broker that is away', () => {
  it('ends once the broker is there, or with its time', async () => {
    const fault = await createFault(environment);
    cleanup(() => fault.close());
    fault.block();
    const url = fault.through(environment.amqpUrl);
    await expect(brokerThere(url, { signal: AbortSignal.timeout(100), logger })).rejects.toThrow('timeout');
    const waiting = brokerThere(url, { signal: AbortSignal.timeout(60_000), logger });
    fault.unblock();
    await waiting;
  });
});

describe('the migration of the topology', () => {
  it('declares every queue of the table with its dead letters, and may be repeated', async () => {
    const queues = Object.values<QueueSpec>(QUEUES);
    for (let run = 0; run < 2; run += 1) await prepareTopology(environment.amqpUrl, queues);
    for (const queue of queues.filter(({ retired }) => retired !== true)) {
      expect(await queueDepth(broker, queue)).toEqual({ messages: 0, consumers: 0, deadLetters: 0 });
    }
  });

  it('lets a subscriber that was never up yet miss nothing', async () => {
    const queue = tableQueue('early');
    await prepareTopology(environment.amqpUrl, [queue]);
    await publisher.publish(queue.message, envelope(queue.message, 'sent before it was ever up'));
    const taken = take(queue);
    await hasLength(taken, 1);
  });

  it('rejects where a queue exists with other arguments: that takes a new version', async () => {
    await prepareTopology(environment.amqpUrl, [tableQueue('changed')]);
    await expect(prepareTopology(environment.amqpUrl, [tableQueue('changed', { deliveryLimit: 7 })])).rejects.toThrow();
  });

  it('is what a consumer waits for: it declares no queue of the table by itself', async () => {
    const queue = tableQueue('awaited');
    const taken = take(queue);
    await expect(
      publisher.publish(queue.message, envelope(queue.message, 'too early'), { mandatory: true }),
    ).rejects.toThrow();
    await prepareTopology(environment.amqpUrl, [queue]);
    await publisher.publish(queue.message, envelope(queue.message, 'in time'));
    await hasLength(taken, 1);
    expect(taken).toEqual(['in time']);
  });
});

describe('a retired queue', () => {
  const versions = (name: string) => {
    const first = tableQueue(name, { name: `${name}.things.v1` });
    const message = { ...first.message, version: 2 };
    const second: QueueSpec<typeof noted> = { ...first, message, name: `${name}.things.v2` };
    return { first, second, retired: { ...first, retired: true } };
  };

  it('is read beside its successor until it is empty, and then deleted; its consumer goes on without it', async () => {
    const { first, second, retired } = versions('succeeded');
    await prepareTopology(environment.amqpUrl, [first]);
    await publisher.publish(first.message, envelope(first.message, 'of the old version'));
    await prepareTopology(environment.amqpUrl, [retired, second]);
    expect(await exists(first)).toBe(true);
    const [old, current] = [take(retired), take(second)];
    await publisher.publish(second.message, envelope(second.message, 'of the new version'));
    await Promise.all([hasLength(old, 1), hasLength(current, 1)]);
    await eventually(async () => {
      await prepareTopology(environment.amqpUrl, [retired, second]);
      expect(await exists(first)).toBe(false);
    });
    const late = consume({ broker, queue: retired, logger, handle: async () => undefined });
    cleanup(() => late.stop());
    await eventually(async () => expect(await late.backlog()).toEqual({ waiting: 0, oldestAgeMs: 0, givenUp: 0 }));
    await publisher.publish(second.message, envelope(second.message, 'another'));
    await hasLength(current, 2);
  });

  it('stays while a message is among its dead letters', async () => {
    const { first, retired } = versions('mourned');
    await prepareTopology(environment.amqpUrl, [first]);
    await publisher.publishRaw('', deadLetterQueueOf(first.name), Buffer.from('{}'));
    await prepareTopology(environment.amqpUrl, [retired]);
    expect(await exists(first)).toBe(true);
    expect(await listDeadLetters(broker, first)).toHaveLength(1);
  });

  it('for the dead letters of another receives them for as long as that one exists', async () => {
    const worker = { ...tableQueue('outgoing'), retired: true };
    const owner = tableQueue('heir', { deadLettersOf: worker.name, message: worker.message, retired: true });
    await prepareTopology(environment.amqpUrl, [
      { ...worker, retired: false },
      { ...owner, retired: false },
    ]);
    await publisher.publish(worker.message, envelope(worker.message, 'poison of the old version'));
    await prepareTopology(environment.amqpUrl, [worker, owner]);
    const failing = consume({
      ...{ broker, queue: worker, logger, maxAttempts: 1 },
      handle: async () => {
        throw new Error('always');
      },
    });
    cleanup(() => failing.stop());
    const told = take(owner);
    await hasLength(told, 1);
    expect(new Set(told)).toEqual(new Set(['poison of the old version']));
    await failing.stop();
    await eventually(async () => expect(await replayDeadLetters(broker, worker)).toEqual({ replayed: 1, left: 0 }));
    const working = take(worker);
    await hasLength(working, 1);
    await eventually(async () => {
      await prepareTopology(environment.amqpUrl, [worker, owner]);
      expect([await exists(worker), await exists(owner)]).toEqual([false, false]);
    });
  });
});

describe('a queue for the dead letters of another', () => {
  it('receives a copy of each, whoever gave it up, and the original stays where it can be sent again', async () => {
    const worker = queueNamed('worker');
    const owner = tableQueue('owner', { deadLettersOf: worker.name, message: worker.message });
    await prepareTopology(environment.amqpUrl, [worker, owner]);
    const failing = consume({
      ...{ broker, queue: worker, logger, maxAttempts: 1 },
      handle: async () => {
        throw new Error('always');
      },
    });
    cleanup(() => failing.stop());
    await publisher.publish(worker.message, envelope(worker.message, 'poison'));
    const told = take(owner);
    await hasLength(told, 1);
    expect(new Set(told)).toEqual(new Set(['poison']));
    await eventually(async () => expect(await listDeadLetters(broker, worker)).toHaveLength(1));
  });
});

describe('the backlog of a consumer', () => {
  it('tells what waits, for how long at most, and what was given up', async () => {
    const queue = tableQueue('counted', { prefetch: 1 });
    await prepareTopology(environment.amqpUrl, [queue]);
    await publisher.publishRaw('', deadLetterQueueOf(queue.name), Buffer.from('{}'));
    const gate = Promise.withResolvers<void>();
    const consumer = consume({ broker, queue, logger, handle: () => gate.promise });
    cleanup(() => consumer.stop());
    for (const text of ['in hand', 'waits', 'waits too']) {
      await publisher.publish(queue.message, envelope(queue.message, text));
    }
    await eventually(async () => expect(await consumer.backlog()).toMatchObject({ waiting: 2, givenUp: 1 }));
    await eventually(async () => expect((await consumer.backlog()).oldestAgeMs).toBeGreaterThan(1_000));
    gate.resolve();
    await eventually(async () => expect(await consumer.backlog()).toEqual({ waiting: 0, oldestAgeMs: 0, givenUp: 1 }));
  });
});

it('a migration that cannot reach the broker says so', async () => {
  await expect(migrateTopology({ url: 'amqp://127.0.0.1:1', logger })).rejects.toThrow('ECONNREFUSED');
});
