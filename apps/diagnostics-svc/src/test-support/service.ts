import { deedRecorded } from '@clew/contracts';
import { createAuditTrail, createInbox, createOutbox, createTombstones, type Database } from '@clew/persistence';
import type { Clock } from '@clew/kernel';
import type { Broker, Publisher } from '@clew/messaging';
import type { BackgroundTask } from '@clew/runtime';
import { fixedClock, type FixedClock, type TestEnvironment } from '@clew/testing';
import { openMigratedDatabase, openTestDatabaseHost } from '@clew/testing-host';
import { callerOf, createIdentities, keyWith, type CallService, type Identities } from '@clew/testing/identities';
import { DiagnosticsConfig } from '../config.ts';
import { createDiagnostics, type DiagnosticsDependencies } from '../create-diagnostics.ts';
import { migrations } from '../migrations.ts';
import { mountWebhooks } from '../mount-webhooks.ts';
import { createAnalysisStore } from '../analyses/index.ts';
import { createFindingTasks } from '../clusters/index.ts';
import { createAdmitResults, createAskSnapshot, createExpectationStore, createReviews } from '../expectations/index.ts';
import { createSecretBox } from '@clew/secrets';
import { loopbackOutbound } from '@clew/testing/issue-trackers';
import { createConnectors, createConnectorStore } from '../connectors/index.ts';
import { createWorkItems, type WorkItems } from '../work-items/index.ts';
import { createErased } from '../erasure/index.ts';
import { createActivityStore } from '../findings/activity/index.ts';
import { createFindingStore } from '../findings/findings.store.ts';
import { resultMessageOf } from '../results/analysis-result.ts';
import { createResultsService } from '../results/results.service.ts';
import { createRepairSync, createWalkStore, type RepairSync } from '../repair-sync/index.ts';
import { createSettingsStore } from '../settings/settings.store.ts';
import { createResultStore } from '../results/results.store.ts';
import { createReviewRecordStore } from '../reviewer/index.ts';
import type { Webhooks } from '../webhooks/index.ts';
import { PROJECT_ID, STARTED_AT, type CompletedMessage } from './results.ts';
import { startModelRuntime, type LoopbackModelRuntime } from './model-runtime.ts';
import { startWarehouse, type LoopbackWarehouse } from './warehouse.ts';

/** Service instance on loopback, wired as in `main`. */
export interface TestService {
  readonly url: string;
  readonly database: Database;
  readonly broker: Broker;
  readonly publisher: Publisher;
  readonly clock: FixedClock;
  readonly warehouse: LoopbackWarehouse;
  readonly modelRuntime: LoopbackModelRuntime;
  readonly identities: Identities;
  readonly call: CallService;
  /** Applies results as the consumer does. */
  take(...batch: CompletedMessage[]): Promise<void>;
  /** Reviews one conversation that shows a changed Expectation; returns 0 if none is left. */
  review(): Promise<number>;
  /** Runs due tasks of Findings, two conversations at a time; returns the number of rows that were due. */
  doTasks(): Promise<number>;
  /** Works on due work items once; returns their number. */
  doWorkItems(): Promise<number>;
  readonly workItems: WorkItems;
  /** Walks and notes, whose rounds tests run themselves. */
  readonly repairSync: RepairSync;
  /** Outbound webhooks, a round of deliveries at a time. */
  readonly webhooks: Pick<Webhooks, 'take' | 'round' | 'watchRates'>;
  /** Starts the consumers and background tasks. */
  start(): readonly BackgroundTask[];
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  mongoUrl?: string;
  amqpUrl?: string;
  mountRules?: boolean;
  mountWorkItems?: boolean;
  maxHeartbeatAgeMs?: number;
  /** Whether the warehouse rejects the key that the service signs with. */
  foreignKey?: boolean;
  retryDelaysMs?: readonly number[];
  backfills?: DiagnosticsDependencies['backfills'];
  discoverDeadlineMs?: number;
  authSecret?: string;
  onIssueTouched?: DiagnosticsDependencies['onIssueTouched'];
  /** Variables about webhooks. */
  webhooks?: Readonly<Record<string, string>>;
}

export function openTestDatabase(environment: TestEnvironment, mongoUrl = environment.mongoUrl) {
  return openMigratedDatabase(environment, { migrations, mongoUrl });
}

export async function startTestService(
  environment: TestEnvironment,
  {
    mountRules = true,
    mountWorkItems = true,
    authSecret = 'a secret of the tests, which is long enough',
    maxHeartbeatAgeMs = 300_000,
    foreignKey = false,
    backfills,
    discoverDeadlineMs,
    onIssueTouched,
    webhooks,
    ...servers
  }: TestServiceOptions = {},
): Promise<TestService> {
  const identities = createIdentities();
  const warehouse = await startWarehouse(identities.at('telemetry-warehouse').authenticate);
  const modelRuntime = await startModelRuntime(identities.at('model-runtime-svc').authenticate);
  const host = await openTestDatabaseHost(environment, {
    name: 'diagnostics-svc',
    config: DiagnosticsConfig,
    variables: {
      TELEMETRY_WAREHOUSE_URL: warehouse.url,
      MODEL_RUNTIME_SVC_URL: modelRuntime.url,
      ...{ MOUNT_RULES: String(mountRules), MOUNT_WORK_ITEMS: String(mountWorkItems) },
      ...{ AUTH_SECRET: authSecret, MAX_HEARTBEAT_AGE_MS: String(maxHeartbeatAgeMs) },
      ...{ OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', ...webhooks },
    },
    ...{ migrations, identities, ...servers },
    clock: fixedClock(STARTED_AT + 3_600_000),
    ...(foreignKey ? { signers: createIdentities() } : {}),
  });
  const { database, broker, publisher, clock } = host;
  const served = await host.serve(
    createDiagnostics({
      ...host,
      warehouse: host.client('telemetry-warehouse'),
      modelRuntime: host.client('model-runtime-svc'),
      backfills,
      discoverDeadlineMs,
      onIssueTouched,
      adjudicationPollMs: 20,
      webhookPollMs: 20,
    }),
  );
  const takeResults = resultsServiceOn(database, clock);
  const reviews = createReviews({
    ...{ database, clock, logger: host.logger, pageSize: 1 },
    ...{ outbox: createOutbox(database), results: createResultStore(database) },
    warehouse: host.client('telemetry-warehouse'),
    askSnapshot: createAskSnapshot({ deadlineMs: 60_000 }),
    ruleOf: () => Promise.resolve(undefined),
  });
  const tasks = findingTasksOn(host);
  const { workItems, repairSync, outbound } = workItemsOn(host, authSecret);
  return {
    url: served.url,
    ...{ database, broker, publisher, clock, warehouse, modelRuntime, identities },
    call: callerOf({
      ...{ url: served.url, identities: identities.at('diagnostics-svc') },
      ...{ projectId: PROJECT_ID, prefix: '/diagnostics' },
      principal: keyWith('diagnostics:read', 'diagnostics:write'),
    }),
    take: (...batch) => takeResults(batch),
    review: reviews.round,
    doTasks: tasks.round,
    doWorkItems: workItems.runner.round,
    workItems,
    repairSync,
    webhooks: webhooksOn(host),
    start: served.start,
    async stop() {
      await served.stop();
      await outbound.close();
      await warehouse.stop();
      await modelRuntime.stop();
      await host.close();
    },
  };
}

/** Webhooks on their own. */
function webhooksOn(host: Omit<Parameters<typeof mountWebhooks>[0], 'audit' | 'withoutErased' | 'records'>) {
  const { database, clock } = host;
  return mountWebhooks({
    ...host,
    audit: createAuditTrail(createOutbox(database), deedRecorded, clock),
    withoutErased: createErased(createTombstones(database)),
    records: createReviewRecordStore(database),
  });
}

/** Tasks of Findings on their own, two conversations at a time. */
function findingTasksOn({ database, clock, logger }: Pick<DiagnosticsDependencies, 'database' | 'clock' | 'logger'>) {
  return createFindingTasks({
    ...{ database, clock, logger, pageSize: 2 },
    ...{ outbox: createOutbox(database), results: createResultStore(database) },
    ...{ findings: createFindingStore(database), activities: createActivityStore(database) },
  });
}

/** Time between two walks. */
export const SYNC_INTERVAL_MS = 300_000;

/** Work items on their own, with a client that calls loopback. */
function workItemsOn(
  { database, clock, logger, cursors }: Pick<DiagnosticsDependencies, 'database' | 'clock' | 'logger' | 'cursors'>,
  authSecret: string,
) {
  const outbound = loopbackOutbound();
  const connectors = createConnectors({
    ...{ store: createConnectorStore(database), outbound, clock },
    secrets: createSecretBox({ authSecret, previousAuthSecret: undefined }),
  });
  const publicUrl = 'http://localhost:8080';
  const stores = { findings: createFindingStore(database), activities: createActivityStore(database) };
  const walks = createWalkStore(database);
  const settings = createSettingsStore(database);
  const workItems = createWorkItems({
    ...{ ...stores, database, clock, logger, cursors, publicUrl, connectors },
    outbox: createOutbox(database),
    requiredExposuresOf: async () => 20,
    follow: (tx, item, nowMs) => walks.follow(tx, item, nowMs),
  });
  const repairSync = createRepairSync({
    ...{ ...stores, database, clock, logger, publicUrl, connectors, workItems, walks },
    reopensOf: async (projectId) => (await settings.get(projectId)).reopenOnRegression,
    intervalMs: SYNC_INTERVAL_MS,
  });
  return { workItems, repairSync, outbound };
}

/** The service that applies results, on its own. */
export function resultsServiceOn(database: Database, clock: Clock) {
  const take = createResultsService({
    ...{ database, clock },
    inbox: createInbox(database, 'test'),
    outbox: createOutbox(database),
    analyses: createAnalysisStore(database),
    results: createResultStore(database),
    prepare: async () => undefined,
    afterwards: async () => undefined,
    admit: createAdmitResults({
      expectations: createExpectationStore(database),
      clock,
      withoutErased: createErased(createTombstones(database)),
    }),
  });
  return (batch: readonly CompletedMessage[]) => take(batch.map(resultMessageOf));
}
