import { describe, expect, it } from '@jest/globals';
import { analysisCompleted, conversationFindingsChanged, EXCHANGE_OF_KIND, routingKeyOf } from '@clew/contracts';
import { newId } from '@clew/kernel';
import {
  consumeBatches,
  createPublisher,
  listDeadLetters,
  queueDepth,
  QUEUES,
  type Broker,
  type Consumer,
} from '@clew/messaging';
import {
  createTcpFault,
  eventually,
  monitored,
  silentLogger,
  useCleanup,
  useTestEnvironment,
  type TcpFault,
} from '@clew/testing';
import { emittedMessages } from '@clew/testing-host';
import { openTestBroker } from '@clew/testing-host';
import type { BackgroundTask } from '@clew/runtime';
import { findingCollection, findingModel, occurrenceModel } from '../findings/finding.model.ts';
import { resultOf, type CompletedMessage } from '../test-support/results.ts';
import { resultsServiceOn, startTestService, type TestService } from '../test-support/service.ts';

const LONG = { timeoutMs: 30_000 };
const environment = useTestEnvironment();
const cleanup = useCleanup();

async function startService(amqpUrl = environment.amqpUrl): Promise<TestService> {
  const service = await startTestService(environment, { amqpUrl, mongoUrl: monitored(environment.mongoUrl) });
  cleanup(() => service.stop());
  return service;
}

async function amqpFault(): Promise<TcpFault> {
  const { hostname: host, port } = new URL(environment.amqpUrl);
  const fault = await createTcpFault({ target: { host, port: Number(port) } });
  cleanup(() => fault.close());
  return fault;
}

async function openBroker(): Promise<Broker> {
  const broker = await openTestBroker(environment, { service: 'diagnostics-svc' });
  cleanup(() => broker.close());
  return broker;
}

async function publish(broker: Broker, results: readonly CompletedMessage[]): Promise<void> {
  const publisher = createPublisher(broker);
  await Promise.all(results.map((result) => publisher.publish(analysisCompleted, result)));
  await publisher.close();
}

function resultsOf(projectId: string, count: number): CompletedMessage[] {
  return Array.from({ length: count }, (_, index) =>
    resultOf({ projectId, conversationId: `chat ${index}`, found: { rule_a: ['loop'] } }),
  );
}

async function occurrenceCounts({ database: { connection } }: TestService, projectId: string) {
  const [finding] = await findingModel(connection).find({ projectId }).lean();
  return [finding?.occurrenceCount ?? 0, await occurrenceModel(connection).countDocuments({ projectId })];
}

async function announcements({ database }: TestService, projectId: string): Promise<number> {
  const events = await emittedMessages(database, conversationFindingsChanged, projectId);
  return events.flatMap(({ data }) => data.conversations).length;
}

async function subscribed(parts: readonly BackgroundTask[]): Promise<void> {
  const isConsumer = (part: BackgroundTask): part is Consumer => 'isSubscribed' in part;
  const consumers = parts.filter(isConsumer);
  await eventually(() => expect(consumers.every((consumer) => consumer.isSubscribed())).toBe(true));
}

async function emptied(broker: Broker): Promise<void> {
  await eventually(async () => expect(await queueDepth(broker, QUEUES.analysisResults)).toMatchObject({ messages: 0 }));
}

/**
 * Runs consumers until nothing is left. Messages in their hands are on no queue, so a further result is published: once
 * that has taken effect, every earlier message was either handled or waits for its next attempt.
 */
async function takeAll(service: TestService, broker: Broker): Promise<void> {
  const consumers = service.start();
  await eventually(async () => {
    await expectNothingWaits(broker);
    const projectId = newId('prj');
    await publish(broker, [resultOf({ projectId, found: { rule_a: ['loop'] } })]);
    await eventually(async () => expect(await occurrenceCounts(service, projectId)).toEqual([1, 1]), LONG);
    await expectNothingWaits(broker);
  }, LONG);
  await Promise.all(consumers.map((consumer) => consumer.stop()));
}

async function expectNothingWaits(broker: Broker): Promise<void> {
  const channel = await broker.openChannel();
  try {
    // Retry queues first: a message that returns from its retry enters the main queue before it leaves the retry queue.
    for (const delayMs of broker.retryDelaysMs) {
      expect(await channel.checkQueue(`clew.retry.${delayMs}ms`)).toMatchObject({ messageCount: 0 });
    }
    expect(await channel.checkQueue(QUEUES.analysisResults.name)).toMatchObject({ messageCount: 0 });
  } finally {
    await channel.close();
  }
}

const WRITE_CONFLICT = 112;

/** Counts the transactions of a service that the database refused because of another one. */
function countConflicts({ database }: TestService): () => number {
  let conflicts = 0;
  database.connection.getClient().on('commandFailed', ({ failure }) => {
    if ((failure as { code?: unknown }).code === WRITE_CONFLICT) conflicts += 1;
  });
  return () => conflicts;
}

describe('results on the queue', () => {
  it('take effect without the poison among them, which ends with the dead letters', async () => {
    const service = await startService();
    const projectId = newId('prj');
    const broker = await openBroker();
    const publisher = createPublisher(broker);
    const good = resultsOf(projectId, 30);
    // Valid for the schema of the message, but the id of its Rule cannot be the name of a field in a document.
    const poison = resultOf({ projectId, found: { 'rule_\u0000': ['loop'] } });
    const malformed = Buffer.from(JSON.stringify({ ...good[0], id: 'malformed', data: { conversationId: 7 } }));
    await publish(broker, [...good.slice(0, 10), poison, ...good.slice(10)]);
    const { kind } = analysisCompleted;
    await publisher.publishRaw(EXCHANGE_OF_KIND[kind], routingKeyOf(analysisCompleted), malformed, {
      messageId: 'malformed',
    });
    await publisher.publishRaw(EXCHANGE_OF_KIND[kind], routingKeyOf(analysisCompleted), Buffer.from('not JSON'));
    await publisher.close();
    service.start();
    await eventually(async () => expect(await occurrenceCounts(service, projectId)).toEqual([30, 30]), LONG);
    await eventually(async () => {
      const dead = await listDeadLetters(broker, QUEUES.analysisResults);
      expect(dead.map(({ reason }) => reason).toSorted()).toEqual(['attempts-exhausted', 'malformed', 'malformed']);
    }, LONG);
  });

  it('take effect once when they are delivered many times', async () => {
    const service = await startService();
    const projectId = newId('prj');
    const broker = await openBroker();
    const results = resultsOf(projectId, 20);
    await publish(broker, [...results, ...results, ...results]);
    await takeAll(service, broker);
    expect(await occurrenceCounts(service, projectId)).toEqual([20, 20]);
    expect(await announcements(service, projectId)).toBe(20);
  });

  it('take effect once when the consumer dies after its commit and before its acknowledgement', async () => {
    const service = await startService();
    const projectId = newId('prj');
    const [broker, fault] = [await openBroker(), await amqpFault()];
    const broken = await openTestBroker(environment, {
      service: 'diagnostics-svc',
      amqpUrl: fault.through(environment.amqpUrl),
    });
    cleanup(() => broken.close());
    await publish(broker, resultsOf(projectId, 20));
    const take = resultsServiceOn(service.database, service.clock);
    const batches: string[][] = [];
    const consumer = consumeBatches({
      broker: broken,
      queue: QUEUES.analysisResults,
      logger: silentLogger(),
      async handle(batch) {
        batches.push(batch.map(({ id }) => id));
        await take(batch);
        if (batches.length > 1) return;
        fault.block();
        fault.unblock();
      },
    });
    cleanup(() => consumer.stop());
    await eventually(() => expect(new Set(batches.flat()).size).toBe(20));
    await eventually(async () => expect(await occurrenceCounts(service, projectId)).toEqual([20, 20]), LONG);
    await emptied(broker);
    await consumer.stop();
    expect(batches.slice(1).flat()).toEqual(expect.arrayContaining(batches[0]!));
    expect(await occurrenceCounts(service, projectId)).toEqual([20, 20]);
    expect(await announcements(service, projectId)).toBe(20);
  });

  it('are taken by one instance at a time, and by the other one as soon as that is gone', async () => {
    const projectId = newId('prj');
    const [broker, fault] = [await openBroker(), await amqpFault()];
    const dying = await startService(fault.through(environment.amqpUrl));
    await subscribed(dying.start());
    const standby = await startService();
    await subscribed(standby.start());
    const results = resultsOf(projectId, 150);
    await publish(broker, results.slice(0, 100));
    await eventually(async () => expect((await occurrenceCounts(standby, projectId))[0]).toBeGreaterThan(0));
    const rest = publish(broker, results.slice(100));
    fault.block();
    await rest;
    await eventually(async () => expect(await occurrenceCounts(standby, projectId)).toEqual([150, 150]), LONG);
    await emptied(broker);
    expect(await announcements(standby, projectId)).toBe(150);
    fault.unblock();
  });

  it('of one cluster, taken by many at once, are neither lost nor counted twice', async () => {
    const service = await startService();
    const projectId = newId('prj');
    const conflicts = countConflicts(service);
    // Few results: each conflict means another attempt, so the total cost grows with the square of their number.
    const take = resultsServiceOn(service.database, service.clock);
    await Promise.all(resultsOf(projectId, 15).flatMap((result) => [take([result]), take([result])]));
    expect(conflicts()).toBeGreaterThan(0);
    expect(await occurrenceCounts(service, projectId)).toEqual([15, 15]);
    expect(await announcements(service, projectId)).toBe(15);
  });

  it('wait while another transaction holds their Finding, and are neither lost nor given up', async () => {
    const service = await startService();
    const projectId = newId('prj');
    const broker = await openBroker();
    const conflicts = countConflicts(service);
    const [first, ...others] = resultsOf(projectId, 41);
    await service.take(first!);
    const session = service.database.connection.getClient().startSession();
    cleanup(() => session.endSession());
    session.startTransaction();
    const held = { $set: { heldByATest: true } };
    await findingCollection(service.database).updateOne({ projectId }, held as never, { session });
    await publish(broker, [...others, ...others]);
    const consumers = service.start();
    await eventually(() => expect(conflicts()).toBeGreaterThan(5), LONG);
    await session.abortTransaction();
    await eventually(async () => expect(await occurrenceCounts(service, projectId)).toEqual([41, 41]), LONG);
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    await takeAll(service, broker);
    expect(await occurrenceCounts(service, projectId)).toEqual([41, 41]);
    expect(await announcements(service, projectId)).toBe(41);
    const poisoned = await listDeadLetters(broker, QUEUES.analysisResults);
    expect(poisoned.filter(({ body }) => body.includes(projectId))).toEqual([]);
  });
});
