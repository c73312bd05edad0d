import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, silentLogger, useTestEnvironment, useCleanup } from '@clew/testing';
import { createPublisher, subscribeBroadcast, type Broker, type Publisher } from './index.ts';
import { cutConnections, envelope, hasLength, noted, openBehindFault, openBroker } from './test-support/fixture.ts';

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

function publish(text: string): Promise<void> {
  return publisher.publish(noted, envelope(noted, text));
}

describe('a broadcast', () => {
  it('reaches every process that listens', async () => {
    const heard: string[] = [];
    for (const name of ['first', 'second']) {
      const broadcast = subscribeBroadcast({
        broker,
        spec: noted,
        logger,
        handle: ({ data }) => void heard.push(`${name} ${data.keyId}`),
      });
      cleanup(() => broadcast.stop());
      await eventually(() => expect(broadcast.isSubscribed()).toBe(true));
    }
    await publish('a');
    await hasLength(heard, 2);
    expect(heard.toSorted()).toEqual(['first a', 'second a']);
  });

  it('is heard again after the connection was lost, and its listener learns that it may have missed some', async () => {
    const { broker: behindFault, fault } = await openBehindFault(environment);
    cleanup(() => fault.close());
    cleanup(() => behindFault.close());
    const heard: string[] = [];
    const broadcast = subscribeBroadcast({
      broker: behindFault,
      spec: noted,
      logger,
      handle: ({ data }) => void heard.push(data.keyId),
      onSubscribed: () => void heard.push('subscribed'),
    });
    cleanup(() => broadcast.stop());
    await hasLength(heard, 1);
    await publish('a');
    await hasLength(heard, 2);
    cutConnections(fault);
    await hasLength(heard, 3);
    await publish('b');
    await hasLength(heard, 4);
    expect(heard).toEqual(['subscribed', 'a', 'subscribed', 'b']);
  });

  it('goes on after a message that is malformed, and after one that its listener fails on', async () => {
    const heard: string[] = [];
    const broadcast = subscribeBroadcast({
      broker,
      spec: noted,
      logger,
      handle({ data }) {
        if (data.keyId === 'fails') throw new Error('no');
        heard.push(data.keyId);
      },
    });
    cleanup(() => broadcast.stop());
    await eventually(() => expect(broadcast.isSubscribed()).toBe(true));
    await publisher.publishRaw('clew.events', 'test.thing.noted.v1', Buffer.from('?'));
    await publish('fails');
    await publish('good');
    await hasLength(heard, 1);
    expect(heard).toEqual(['good']);
  });

  it('leaves no queue behind when its listener ends', async () => {
    const broadcast = subscribeBroadcast({ broker, spec: noted, logger, handle: () => undefined });
    await eventually(() => expect(broadcast.isSubscribed()).toBe(true));
    await publish('heard');
    await broadcast.stop();
    await eventually(() => expect(publish('unheard')).rejects.toThrow('No queue'));
  });
});
