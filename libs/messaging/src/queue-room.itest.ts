import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, silentLogger, useTestEnvironment } from '@clew/testing';
import { createPublisher, watchQueueRoom, type Broker, type Publisher, type QueueSpec } from './index.ts';
import { envelope, openBroker, queueNamed, type noted } from './test-support/fixture.ts';

const environment = useTestEnvironment();
const logger = silentLogger();
let broker: Broker;
let publisher: Publisher;
let queue: QueueSpec<typeof noted>;

beforeAll(async () => {
  queue = queueNamed('room');
  broker = await openBroker(environment.amqpUrl, { queues: [queue] });
  publisher = createPublisher(broker);
});

afterAll(async () => {
  await publisher.close();
  await broker.close();
});

describe('the room of a queue', () => {
  it('is filled by what was taken, and by what waits once it is seen', async () => {
    const room = watchQueueRoom({ broker, queue, results: queue, unitsOfConsumer: 100, logger, lookEveryMs: 20 });
    expect(room.left()).toBe(100);
    for (let count = 0; count < 3; count += 1) room.take(1);
    expect(room.left()).toBe(97);
    await eventually(() => expect(room.left()).toBe(100));
    for (let count = 0; count < 5; count += 1)
      await publisher.publish(queue.message, envelope(queue.message, `${count}`));
    // The message waits in the queue, which here is also the queue of the results.
    await eventually(() => expect(room.left()).toBe(90));
  });

  it('is what is left of it while the broker cannot be asked', async () => {
    const away = { ...broker, openChannel: () => Promise.reject(new Error('away')) } as unknown as Broker;
    const room = watchQueueRoom({ broker: away, queue, results: queue, unitsOfConsumer: 10, logger, lookEveryMs: 1 });
    for (let count = 0; count < 12; count += 1) {
      room.take(1);
      room.left();
      await Promise.resolve();
    }
    expect(room.left()).toBe(-2);
  });
});
