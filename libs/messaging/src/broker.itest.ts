import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, silentLogger, useTestEnvironment, useCleanup } from '@clew/testing';
import { BrokerUnavailableError, connectBroker, queueDepth, type Broker } from './index.ts';
import { createFault, openBehindFault, openBroker, queueNamed } from './test-support/fixture.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let brokers: Broker[] = [];

afterEach(async () => {
  await Promise.all(brokers.map((broker) => broker.close()));
  brokers = [];
});

describe('connectBroker', () => {
  it('resolves while the broker is away, and connects once it is there', async () => {
    const fault = await createFault(environment);
    cleanup(() => fault.close());
    fault.block();
    const broker = await connectBroker({ url: fault.through(environment.amqpUrl), appName: 'test', logger });
    brokers.push(broker);
    expect(broker.isConnected()).toBe(false);
    await expect(broker.openChannel()).rejects.toThrow(BrokerUnavailableError);
    await expect(broker.whenConnected(AbortSignal.timeout(50))).rejects.toThrow(BrokerUnavailableError);
    fault.unblock();
    await broker.whenConnected(AbortSignal.timeout(10_000));
    expect(broker.isConnected()).toBe(true);
  });

  it('connects again after the connection was lost, and tells of both', async () => {
    const { broker, fault } = await openBehindFault(environment);
    cleanup(() => fault.close());
    brokers.push(broker);
    const changes: boolean[] = [];
    const end = broker.consuming.onChange(() => changes.push(broker.consuming.isConnected()));
    fault.block();
    await eventually(() => expect(changes).toEqual([false]));
    fault.unblock();
    await eventually(() => expect(changes).toEqual([false, true]));
    end();
  });

  it('has its queues declared whenever it is connected, and may be repeated by any process', async () => {
    const queue = queueNamed('declared');
    for (let process = 0; process < 2; process += 1) {
      const broker = await openBroker(environment.amqpUrl, { queues: [queue] });
      brokers.push(broker);
      expect(await queueDepth(broker, queue)).toEqual({ messages: 0, consumers: 0, deadLetters: 0 });
    }
  });

  it('is not connected where a queue exists with other arguments, and does not end the process', async () => {
    brokers.push(await openBroker(environment.amqpUrl, { queues: [queueNamed('changed')] }));
    const changed = queueNamed('changed', { deliveryLimit: 7 });
    const broker = await connectBroker({ url: environment.amqpUrl, appName: 'test', logger, queues: [changed] });
    brokers.push(broker);
    await expect(broker.whenConnected(AbortSignal.timeout(500))).rejects.toThrow(BrokerUnavailableError);
  });

  it('closes also when the broker has vanished without a word', async () => {
    const { broker, fault } = await openBehindFault(environment);
    cleanup(() => fault.close());
    const channel = await broker.openChannel();
    const stalled = fault.stallAfter('silence');
    const asked = channel.checkQueue('silence').catch(() => undefined);
    await stalled;
    await broker.close();
    expect(broker.isConnected()).toBe(false);
    fault.block();
    await asked;
  });
});
