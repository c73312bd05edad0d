import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createTestVhost,
  eventually,
  silentLogger,
  startTestServers,
  useCleanup,
  useTestEnvironment,
} from '@clew/testing';
import { BrokerUnavailableError, connectBroker, type Broker } from './index.ts';
import { createFault, openBehindFault, prepareTopology } from './test-support/fixture.ts';

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let brokers: Broker[] = [];

beforeAll(() => prepareTopology(environment.amqpUrl));

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

  it('is not connected before the migration step has declared the exchanges, and is soon after', async () => {
    const vhost = await createTestVhost(await startTestServers());
    cleanup(() => vhost.remove());
    const broker = await connectBroker({ url: vhost.amqpUrl, appName: 'test', logger });
    brokers.push(broker);
    await expect(broker.whenConnected(AbortSignal.timeout(500))).rejects.toThrow(BrokerUnavailableError);
    await prepareTopology(vhost.amqpUrl);
    await broker.whenConnected(AbortSignal.timeout(10_000));
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
