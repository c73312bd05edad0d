import { createServiceClient, listen } from '@clew/http';
import { connectBroker, createPublisher, QUEUES, type Broker, type Consumer, type Publisher } from '@clew/messaging';
import { connectMongo, createInbox, createOutbox, migrate, type Database } from '@clew/persistence';
import { createMetrics, createReadiness } from '@clew/runtime';
import type { Clock } from '@clew/kernel';
import { fixedClock, silentLogger, type FixedClock, type TestEnvironment } from '@clew/testing';
import { createDiagnostics } from '../create-diagnostics.ts';
import { migrations } from '../migrations.ts';
import type { AnalysisResult } from '../results/apply-results.ts';
import { createResultsService } from '../results/results.service.ts';
import { createResultStore } from '../results/results.store.ts';
import { createRunStore } from '../runs/runs.store.ts';
import { callerOf, createIdentities, keyWith, type CallService, type Identities } from '@clew/testing/identities';
import { PROJECT_ID, STARTED_AT } from './results.ts';
import { startWarehouse, type LoopbackWarehouse } from './warehouse.ts';

/** One instance of the service, as its `main` wires it, on loopback. */
export interface TestService {
  readonly database: Database;
  readonly broker: Broker;
  readonly publisher: Publisher;
  readonly clock: FixedClock;
  readonly warehouse: LoopbackWarehouse;
  readonly identities: Identities;
  readonly call: CallService;
  /** Takes results as its consumer does. */
  take(...batch: AnalysisResult[]): Promise<void>;
  startConsumers(): readonly Consumer[];
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  mongoUrl?: string;
  amqpUrl?: string;
  mountRules?: boolean;
  maxBeatAgeMs?: number;
  /** The warehouse does not know the key that the service signs with. */
  foreignKey?: boolean;
  retryDelaysMs?: readonly number[];
}

/** Answers are checked against their schemas in every test. */
process.env['CLEW_CHECK_RESPONSES'] = 'true';

export async function openTestDatabase(environment: TestEnvironment, mongoUrl = environment.mongoUrl) {
  const logger = silentLogger();
  const database = await connectMongo({ url: mongoUrl, database: environment.database, appName: 'test', logger });
  await migrate(database, migrations, { logger });
  return database;
}

export async function openTestBroker(environment: TestEnvironment, options: TestServiceOptions = {}): Promise<Broker> {
  const { amqpUrl: url = environment.amqpUrl, retryDelaysMs = [30, 60] } = options;
  const queues = Object.values(QUEUES);
  const broker = await connectBroker({ url, appName: 'test', logger: silentLogger(), queues, retryDelaysMs });
  await broker.whenConnected(AbortSignal.timeout(10_000));
  return broker;
}

export async function startTestService(
  environment: TestEnvironment,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const logger = silentLogger();
  const database = await openTestDatabase(environment, options.mongoUrl);
  const broker = await openTestBroker(environment, options);
  const publisher = createPublisher(broker);
  const clock = fixedClock(STARTED_AT + 3_600_000);
  const identities = createIdentities();
  const warehouse = await startWarehouse(identities.authenticate);
  const diagnostics = createDiagnostics({
    config: {
      AUTH_SECRET: 'a secret of the tests, which is long enough',
      MOUNT_RULES: options.mountRules ?? true,
      MAX_BEAT_AGE_MS: options.maxBeatAgeMs ?? 300_000,
    },
    ...{ database, broker, clock, logger },
    authenticate: identities.authenticate,
    warehouse: createServiceClient({
      baseUrl: warehouse.url,
      serviceName: 'diagnostics-svc',
      sign: (options.foreignKey === true ? createIdentities() : identities).signerOf('diagnostics-svc'),
    }),
    metrics: createMetrics('test'),
    info: { service: 'diagnostics-svc', version: '0', deploymentTarget: 'server', startedAtMs: Date.now() },
    readiness: createReadiness([]),
  });
  const server = await listen(diagnostics.listener, { host: '127.0.0.1', port: 0 });
  const takeResults = resultsServiceOn(database, clock);
  let consumers: readonly Consumer[] = [];
  return {
    ...{ database, broker, publisher, clock, warehouse, identities },
    call: callerOf({
      ...{ url: `http://127.0.0.1:${server.port}`, identities, projectId: PROJECT_ID, prefix: '/diagnostics' },
      principal: keyWith('diagnostics:read', 'diagnostics:write'),
    }),
    take: (...batch) => takeResults(batch),
    startConsumers() {
      consumers = diagnostics.startConsumers();
      return consumers;
    },
    async stop() {
      await server.stop();
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await publisher.close();
      await Promise.all([broker.close(), warehouse.stop(), database.close()]);
    },
  };
}

/** The service that applies results, alone. */
export function resultsServiceOn(database: Database, clock: Clock) {
  return createResultsService({
    ...{ database, clock },
    inbox: createInbox(database, 'test'),
    outbox: createOutbox(database),
    runs: createRunStore(database),
    results: createResultStore(database),
  });
}
