import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@clew/kernel';
import { createPublisher, type Broker, type Publisher } from '@clew/messaging';
import { createOutbox, outboxCollection, type Database } from '@clew/persistence';
import { createMetrics } from '@clew/runtime';
import { createTcpFault, silentLogger, useTestEnvironment, type TcpFault } from '@clew/testing';
import { openTestBroker } from '@clew/testing-host';
import { chatAnswer, finishedCall } from '../../test-support/finished-call.ts';
import { openTestDatabase } from '../../test-support/service.ts';
import { createConversationPointsStore } from './conversation-points.store.ts';
import { createRecorder } from './recorder.ts';
import { createSpanPublisher } from './span-publisher.ts';

const environment = useTestEnvironment();
const projectId = newId('prj');
let database: Database;
let broker: Broker;
let publisher: Publisher;
let fault: TcpFault;

beforeAll(async () => {
  database = await openTestDatabase(environment);
  const { hostname: host, port } = new URL(environment.amqpUrl);
  fault = await createTcpFault({ target: { host, port: Number(port) } });
  broker = await openTestBroker(environment, {
    service: 'model-runtime-svc',
    amqpUrl: fault.through(environment.amqpUrl),
  });
  await broker.whenConnected(AbortSignal.timeout(10_000));
  publisher = createPublisher(broker, { maxWaitMs: 200 });
});

afterAll(async () => {
  fault.unblock();
  await publisher.close();
  await broker.close();
  await fault.close();
  await database.close();
});

const callAsking = (question: string) =>
  finishedCall(chatAnswer(), { projectId, request: { messages: [{ role: 'user', content: question }] } });

it('a call that ends while the broker is away waits in the outbox, and nothing waits for it', async () => {
  const recorder = createRecorder({
    points: createConversationPointsStore(database),
    publish: createSpanPublisher({
      publisher,
      database,
      outbox: createOutbox(database),
      protect: async (message) => message,
    }),
    protect: async (call) => call,
    meter: async () => undefined,
    logger: silentLogger(),
    metrics: createMetrics('test'),
  });
  recorder.record(callAsking('While it is there'));
  await recorder.drained();
  expect(await outboxCollection(database).countDocuments()).toBe(0);
  fault.block();
  recorder.record(callAsking('While it is away'));
  await recorder.drained();
  const rows = await outboxCollection(database).find().toArray();
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ state: 'pending', routingKey: 'telemetry.spans.received.v1' });
  expect(rows[0]?.body).toContain('While it is away');
});
