import { apiKeyChanged, type EnvelopeOf, type MessageSpec } from '@clew/contracts';
import { createTcpFault, eventually, silentLogger, type TcpFault, type TestEnvironment } from '@clew/testing';
import { connectBroker, migrateTopology, type Broker, type BrokerOptions, type QueueSpec } from '../index.ts';

/** Message with one text as its data; each test file has its own vhost. */
export const noted = { ...apiKeyChanged, type: 'test.thing.noted' };
export type Noted = EnvelopeOf<typeof noted>;

/** Short waits in place of the real ones. */
export const RETRY_DELAYS_MS = [60, 150] as const;

export function queueNamed<Spec extends MessageSpec = typeof noted>(
  name: string,
  overrides: Partial<QueueSpec<Spec>> = {},
): QueueSpec<Spec> {
  const message = { ...noted, type: `test.${name}.noted` } as unknown as Spec;
  return {
    name: `${name}.things.v1`,
    consumer: 'jobs-worker',
    message,
    prefetch: 1,
    deliveryLimit: 2,
    declaredByConsumer: true,
    ...overrides,
  };
}

export function envelope(spec: MessageSpec, text: string): Noted {
  const { type, version } = spec;
  return {
    id: `${type}:${text.slice(0, 400)}`,
    type,
    version,
    occurredAt: 1,
    projectId: 'prj_a',
    requestId: null,
    data: { keyId: text },
  };
}

export interface TestBrokerOptions extends Partial<BrokerOptions> {
  /** Queues that are declared beforehand, as in the migration step. */
  queues?: readonly QueueSpec[];
}

/** Prepares the topology, connects and waits for the connection. */
export async function openBroker(url: string, options: TestBrokerOptions = {}): Promise<Broker> {
  await prepareTopology(url, options.queues);
  return await openPreparedBroker(url, options);
}

export async function openBehindFault(
  environment: TestEnvironment,
  options: Partial<BrokerOptions> = {},
): Promise<{ broker: Broker; fault: TcpFault }> {
  await prepareTopology(environment.amqpUrl);
  const fault = await createFault(environment);
  return { broker: await openPreparedBroker(fault.through(environment.amqpUrl), options), fault };
}

/** Runs the migration step with the retry delays and queues of the tests. */
export async function prepareTopology(url: string, queues: readonly QueueSpec[] = []): Promise<void> {
  await migrateTopology({ url, logger: silentLogger(), queues, retryDelaysMs: RETRY_DELAYS_MS });
}

async function openPreparedBroker(url: string, options: Partial<BrokerOptions>): Promise<Broker> {
  const common = { url, appName: 'test', logger: silentLogger(), retryDelaysMs: RETRY_DELAYS_MS };
  const broker = await connectBroker({ ...common, ...options });
  await broker.whenConnected(AbortSignal.timeout(10_000));
  return broker;
}

export function createFault({ amqpUrl }: TestEnvironment): Promise<TcpFault> {
  const { hostname: host, port } = new URL(amqpUrl);
  return createTcpFault({ target: { host, port: Number(port || 5672) } });
}

/** Cuts all connections through a proxy, like the end of their process. */
export function cutConnections(fault: TcpFault): void {
  fault.block();
  fault.unblock();
}

/** Waits until a list has this many entries, and shows the list if it does not. */
export async function hasLength(list: readonly unknown[], length: number): Promise<void> {
  await eventually(() => {
    if (list.length < length) throw new Error(`${list.length} of ${length}: ${JSON.stringify(list)}`);
  });
}
