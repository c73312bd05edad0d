import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { apiKeyChanged, defineRoute } from '@clew/contracts';
import {
  answer,
  createApi,
  createIdentitySigner,
  createIdentityVerifier,
  createServiceClient,
  listen,
  route,
  TRACE_HEADER,
} from '@clew/http';
import { newId } from '@clew/kernel';
import {
  connectBroker,
  consume,
  consumeBatches,
  createPublisher,
  migrateTopology,
  startRelay,
  type Broker,
  type Publisher,
  type QueueSpec,
} from '@clew/messaging';
import { connectMongo, createOutbox, ensureOutbox, type Database } from '@clew/persistence';
import { beginTrace, createLogger, currentSpan, startTracing } from '@clew/runtime';
import {
  eventually,
  silentLogger,
  startTraceCollector,
  useCleanup,
  useTestEnvironment,
  type CollectedSpan,
  type TraceCollector,
} from '@clew/testing';
import { z } from 'zod';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const environment = useTestEnvironment();
const cleanup = useCleanup();
let collector: TraceCollector;
let database: Database;
let broker: Broker;
let publisher: Publisher;

const routeAt = (path: string) =>
  defineRoute({
    operationId: 'tracedStep',
    service: 'telemetry-warehouse',
    method: 'post',
    path,
    tag: 'Steps',
    summary: 'A step',
    access: { kind: 'internal', services: ['jobs-worker'] },
    responses: { 200: z.object({}) },
  });

const messageNamed = (name: string) => ({ ...apiKeyChanged, type: `traced.${name}.noted` });
const commanded = messageNamed('command');
const resulted = messageNamed('result');

function queueOf(message: typeof commanded): QueueSpec<typeof commanded> {
  const limits = { prefetch: 10, deliveryLimit: 2, declaredByConsumer: true };
  return { name: `${message.type}.things.v1`, consumer: 'jobs-worker', message, ...limits };
}

const dataOf = { keyId: 'key_1' };
const about = { projectId: 'prj_1', requestId: null, occurredAt: 1 };

beforeAll(async () => {
  collector = await startTraceCollector();
  const logger = silentLogger();
  const { mongoUrl, amqpUrl } = environment;
  database = await connectMongo({ url: mongoUrl, database: environment.database, appName: 'test', logger });
  await ensureOutbox(database.connection);
  await migrateTopology({ url: amqpUrl, logger, queues: [], retryDelaysMs: [50] });
  broker = await connectBroker({ url: amqpUrl, appName: 'test', logger, retryDelaysMs: [50] });
  await broker.whenConnected(AbortSignal.timeout(10_000));
  publisher = createPublisher(broker);
});

afterAll(async () => {
  await publisher.close();
  await broker.close();
  await database.close();
  await collector.stop();
});

/** Starts a service that answers one route. */
async function serve(path: string, handler: () => Promise<void>) {
  const served = route(routeAt(path), async () => {
    await handler();
    return answer(200, {});
  });
  const authenticate = createIdentityVerifier('telemetry-warehouse', new Map([['jobs-worker', publicKey]]));
  const api = createApi({ authenticate, logger: silentLogger(), routes: [served] });
  const server = await listen(createServer(api), { host: '127.0.0.1', port: 0 });
  cleanup(() => server.stop());
  const sign = createIdentitySigner('jobs-worker', privateKey);
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return { baseUrl, sign, client: createServiceClient({ baseUrl, serviceName: 'jobs-worker', sign }) };
}

/** Names of a span and its ancestors, the outermost first. */
function chainOf(span: CollectedSpan, all: readonly CollectedSpan[]): string[] {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId);
  return [...(parent === undefined ? [] : chainOf(parent, all)), span.name];
}

/** Sends a request through two services, an outbox, a queue, a worker, and a queue of results. */
async function wholeWay() {
  const seen = Promise.withResolvers<string | undefined>();
  let traceId: string | undefined;
  const outbox = createOutbox(database);
  const second = await serve('/internal/second', () =>
    database.withTransaction(async (tx) => {
      await outbox.append(tx, commanded, { ...about, key: newId('evt'), data: dataOf });
    }),
  );
  const first = await serve('/internal/first', async () => {
    await second.client.call(routeAt('/internal/second'), { params: {} });
  });
  const relay = startRelay({ database, publisher, logger: silentLogger() });
  cleanup(() => relay.stop());
  let attempts = 0;
  const worker = consume({
    ...{ broker, queue: queueOf(commanded), logger: silentLogger() },
    async handle(envelope) {
      attempts += 1;
      // The trace outlasts a retry.
      if (attempts === 1) throw new Error('not yet');
      const { type, version } = resulted;
      await publisher.publish(
        resulted,
        { ...envelope, id: `${type}:${envelope.id}`, type, version },
        { mandatory: false },
      );
    },
  });
  const results = consumeBatches({
    ...{ broker, queue: queueOf(resulted), logger: silentLogger() },
    async handle() {
      traceId = currentSpan()?.traceId;
    },
  });
  // The span of the result's handling has ended by then as well.
  results.onWorkEnded?.(() => seen.resolve(traceId));
  for (const consumer of [worker, results]) cleanup(() => consumer.stop());
  await eventually(() => expect([worker.isSubscribed(), results.isSubscribed()]).toEqual([true, true]));
  return { first, seen: seen.promise };
}

it('one request has one trace, through services, outbox, queue, worker and the queue of results', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' };
  const tracing = await startTracing({ service: 'test', version: '1', env });
  const { first, seen } = await wholeWay();
  const begun = beginTrace({ name: 'gateway', kind: 'server' });
  const response = await fetch(new URL('/internal/first', first.baseUrl), {
    method: 'POST',
    headers: {
      'x-clew-identity': first.sign('telemetry-warehouse', 'jobs-worker', {
        principal: { kind: 'service', id: 'jobs-worker' },
      }),
      [TRACE_HEADER]: begun?.traceparent ?? '',
    },
  });
  expect(response.status).toBe(200);
  expect(await seen).toBe(begun?.traceId);
  begun?.end();
  await tracing?.stop();
  const { spans } = collector;
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([begun?.traceId]));
  expect(spans.every(({ service }) => service === 'test')).toBe(true);
  const last = spans.find(({ name }) => name === `process ${queueOf(resulted).name}`);
  expect(last && chainOf(last, spans)).toEqual([
    ...['gateway', 'POST /internal/first', 'POST', 'POST /internal/second', 'relay'],
    ...[expect.stringContaining('publish'), `process ${queueOf(commanded).name}`],
    ...[expect.stringContaining('publish'), `process ${queueOf(resulted).name}`],
  ]);
  expect(spans.filter(({ name }) => name === `process ${queueOf(commanded).name}`)).toHaveLength(2);
});

it('a request that is not traced leaves none, and its log lines name none', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '1' };
  const tracing = await startTracing({ service: 'test', version: '1', env });
  const [before, lines] = [collector.spans.length, [] as string[]];
  const destination = { write: (line: string) => void lines.push(line) };
  const logger = createLogger({ service: 'test', version: '1', level: 'info', destination });
  const { client } = await serve('/internal/untraced', async () => logger.info('within'));
  await client.call(routeAt('/internal/untraced'), { params: {} });
  await tracing?.stop();
  expect(collector.spans).toHaveLength(before);
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain('traceId');
});
