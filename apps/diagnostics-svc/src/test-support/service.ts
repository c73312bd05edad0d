import { createInbox, createOutbox, type Database } from '@clew/persistence';
import type { Clock } from '@clew/kernel';
import type { Broker, Publisher } from '@clew/messaging';
import type { Part } from '@clew/runtime';
import { fixedClock, type FixedClock, type TestEnvironment } from '@clew/testing';
import { openMigratedDatabase, openTestDatabaseHost } from '@clew/testing-host';
import { callerOf, createIdentities, keyWith, type CallService, type Identities } from '@clew/testing/identities';
import { DiagnosticsConfig } from '../config.ts';
import { createDiagnostics } from '../create-diagnostics.ts';
import { migrations } from '../migrations.ts';
import type { AnalysisResult } from '../results/apply-results.ts';
import { createResultsService } from '../results/results.service.ts';
import { createResultStore } from '../results/results.store.ts';
import { createRunStore } from '../runs/runs.store.ts';
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
  /** Begins to take messages. */
  start(): readonly Part[];
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

export function openTestDatabase(environment: TestEnvironment, mongoUrl = environment.mongoUrl) {
  return openMigratedDatabase(environment, { migrations, mongoUrl });
}

export async function startTestService(
  environment: TestEnvironment,
  { mountRules = true, maxBeatAgeMs = 300_000, foreignKey = false, ...servers }: TestServiceOptions = {},
): Promise<TestService> {
  const identities = createIdentities();
  const warehouse = await startWarehouse(identities.authenticate);
  const host = await openTestDatabaseHost(environment, {
    name: 'diagnostics-svc',
    config: DiagnosticsConfig,
    variables: {
      TELEMETRY_WAREHOUSE_URL: warehouse.url,
      MOUNT_RULES: String(mountRules),
      MAX_BEAT_AGE_MS: String(maxBeatAgeMs),
    },
    ...{ migrations, identities, ...servers },
    clock: fixedClock(STARTED_AT + 3_600_000),
    ...(foreignKey ? { signers: createIdentities() } : {}),
  });
  const { database, broker, publisher, clock } = host;
  const served = await host.serve(createDiagnostics({ ...host, warehouse: host.client('telemetry-warehouse') }));
  const takeResults = resultsServiceOn(database, clock);
  return {
    ...{ database, broker, publisher, clock, warehouse, identities },
    call: callerOf({
      ...{ url: served.url, identities, projectId: PROJECT_ID, prefix: '/diagnostics' },
      principal: keyWith('diagnostics:read', 'diagnostics:write'),
    }),
    take: (...batch) => takeResults(batch),
    start: served.start,
    async stop() {
      await served.stop();
      await warehouse.stop();
      await host.close();
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
