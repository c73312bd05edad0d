import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  connectMongo,
  createInbox,
  createOutbox,
  ensureInbox,
  nativeDb,
  ensureOutbox,
  type Database,
} from '@clew/persistence';
import {
  eventually,
  silentLogger,
  startOwnRabbit,
  useTestEnvironment,
  type OwnRabbit,
  useCleanup,
} from '@clew/testing';
import {
  BrokerUnavailableError,
  consume,
  consumeBatches,
  createPublisher,
  queueDepth,
  startRelay,
  type Broker,
  type Publisher,
  type QueueSpec,
} from './index.ts';
import { envelope, openBroker, prepareTopology, queueNamed } from './test-support/fixture.ts';

const MESSAGES = Number(process.env['CLEW_LONG_MESSAGES'] ?? 2_000);
const KILLS = Number(process.env['CLEW_LONG_KILLS'] ?? 3);
const TIMEOUT_MS = 600_000;
/** A killed broker is back within seconds, or within a minute on a busy machine. */
const STEP_TIMEOUT_MS = 90_000;
const PUBLISHERS = 20;

const environment = useTestEnvironment();
const cleanup = useCleanup();
const logger = silentLogger();
let rabbit: OwnRabbit;
let broker: Broker;
let publisher: Publisher;

beforeAll(async () => {
  rabbit = await startOwnRabbit();
}, TIMEOUT_MS);

beforeEach(async () => {
  broker = await openBroker(rabbit.amqpUrl);
  publisher = createPublisher(broker);
  cleanup(() => broker.close());
  cleanup(() => publisher.close());
});

afterAll(() => rabbit.stop(), TIMEOUT_MS);

/**
 * Declares a queue and makes the broker persist it: RabbitMQ 3.10 does that slightly late, and a kill in between loses
 * the queue itself.
 */
async function declareForGood(queue: QueueSpec): Promise<void> {
  await prepareTopology(rabbit.amqpUrl, [queue]);
  await rabbit.restart();
  await eventually(() => queueDepth(broker, queue), { timeoutMs: STEP_TIMEOUT_MS });
}

/** Kills the broker each time the progress reaches the next fraction of the whole, and starts it again. */
async function killAlongTheWay(progress: () => number, whole: number): Promise<number[]> {
  const reconnectedAfterMs: number[] = [];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const mark = (whole * kill) / (KILLS + 1);
    await eventually(() => expect(progress()).toBeGreaterThanOrEqual(mark), { timeoutMs: STEP_TIMEOUT_MS });
    const killedAtMs = Date.now();
    rabbit.kill();
    await eventually(() => expect(broker.isConnected()).toBe(false), { timeoutMs: STEP_TIMEOUT_MS });
    await rabbit.restart();
    await broker.whenConnected(AbortSignal.timeout(STEP_TIMEOUT_MS));
    reconnectedAfterMs.push(Date.now() - killedAtMs);
  }
  return reconnectedAfterMs;
}

function report(name: string, figures: object): void {
  process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
}

describe('a broker that is killed again and again', () => {
  it(
    'loses none of the publishes that it confirmed',
    async () => {
      const queue = queueNamed('killed', { prefetch: 50, deliveryLimit: 1_000 });
      await declareForGood(queue);
      const received = new Map<string, number>();
      const consumer = consume({
        broker,
        queue,
        logger,
        async handle({ data }) {
          received.set(data.keyId, (received.get(data.keyId) ?? 0) + 1);
        },
      });
      cleanup(() => consumer.stop());
      await eventually(() => expect(consumer.isSubscribed()).toBe(true));
      let next = 0;
      let confirmed = 0;
      let repeated = 0;
      const publishAll = async (): Promise<void> => {
        while (next < MESSAGES && !testOver.signal.aborted) {
          const message = envelope(queue.message, String((next += 1)));
          while (!(await isConfirmed(publisher.publish(queue.message, message)))) {
            repeated += 1;
            if (testOver.signal.aborted) return;
          }
          confirmed += 1;
        }
      };
      const testOver = new AbortController();
      cleanup(async () => testOver.abort());
      const publishing = Array.from({ length: PUBLISHERS }, publishAll);
      const reconnectedAfterMs = await killAlongTheWay(() => confirmed, MESSAGES);
      await Promise.all(publishing);
      await eventually(() => expect(received.size).toBe(MESSAGES), { timeoutMs: 60_000 });
      const deliveries = received.values().reduce((sum, count) => sum + count, 0);
      report('confirmed publishes', {
        confirmed,
        lost: MESSAGES - received.size,
        repeated,
        duplicates: deliveries - MESSAGES,
        reconnectedAfterMs,
      });
    },
    TIMEOUT_MS,
  );

  it(
    'has every outbox message take effect exactly once',
    async () => {
      const { mongoUrl: url, database: name } = environment;
      const database = await connectMongo({ url, database: name, appName: 'test', logger });
      cleanup(() => database.close());
      await ensureOutbox(database.connection);
      await ensureInbox(database.connection);
      const queue = queueNamed('effects', { prefetch: 100, deliveryLimit: 1_000 });
      await declareForGood(queue);
      const effects = nativeDb(database.connection).collection<{ _id: string; count: number }>('effects');
      const inbox = createInbox(database, queue.name);
      let deliveries = 0;
      const consumer = consumeBatches({
        broker,
        queue,
        logger,
        async handle(envelopes) {
          await database.withTransaction(async (tx) => {
            const fresh = await inbox.accept(
              tx,
              envelopes.map(({ id }) => id),
            );
            for (const id of fresh) {
              await effects.updateOne({ _id: id }, { $inc: { count: 1 } }, { upsert: true, session: tx });
            }
          });
          deliveries += envelopes.length;
        },
      });
      cleanup(() => consumer.stop());
      const relay = startRelay({ database, publisher, logger, isMandatory: () => true });
      cleanup(() => relay.stop());
      const appending = appendAll(database, queue.message);
      const reconnectedAfterMs = await killAlongTheWay(() => deliveries, MESSAGES);
      await appending;
      await eventually(async () => expect(await effects.countDocuments()).toBe(MESSAGES), { timeoutMs: 120_000 });
      await eventually(async () => expect((await relay.backlog()).waiting).toBe(0), { timeoutMs: 60_000 });
      const twice = await effects.countDocuments({ count: { $ne: 1 } });
      report('outbox messages', {
        appended: MESSAGES,
        effects: await effects.countDocuments(),
        twice,
        duplicates: deliveries - MESSAGES,
        reconnectedAfterMs,
      });
      expect(twice).toBe(0);
    },
    TIMEOUT_MS,
  );
});

async function isConfirmed(published: Promise<void>): Promise<boolean> {
  try {
    await published;
    return true;
  } catch (error) {
    if (error instanceof BrokerUnavailableError) return false;
    throw error;
  }
}

async function appendAll(database: Database, spec: ReturnType<typeof queueNamed>['message']): Promise<void> {
  const outbox = createOutbox(database);
  for (let index = 0; index < MESSAGES; index += 1) {
    const { projectId, requestId, data, occurredAt } = envelope(spec, `effect ${index}`);
    await database.withTransaction((tx) =>
      outbox.append(tx, spec, { key: data.keyId, projectId, requestId, data, occurredAt }),
    );
  }
}
