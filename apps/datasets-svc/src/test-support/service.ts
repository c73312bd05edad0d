import type { Dataset, Example, NewExample } from '@clew/contracts';
import { createServiceClient, listen } from '@clew/http';
import { newId, type Clock } from '@clew/kernel';
import { connectMongo, migrate, type Database } from '@clew/persistence';
import { createMetrics, createReadiness } from '@clew/runtime';
import { fixedClock, silentLogger, type FixedClock, type TestEnvironment } from '@clew/testing';
import { callerOf, createIdentities, keyWith, type Answer, type CallService } from '@clew/testing/identities';
import { createDatasets, type Datasets, type DatasetsDependencies } from '../create-datasets.ts';
import { migrations } from '../migrations.ts';
import { startModelRuntime, type LoopbackModelRuntime } from './model-runtime.ts';
import { transfersOf, type Transfers } from './transfers.ts';

/** One instance of the service, as its `main` wires it, on loopback. */
export interface TestService {
  readonly url: string;
  readonly database: Database;
  readonly clock: FixedClock;
  readonly datasets: Datasets;
  readonly modelRuntime: LoopbackModelRuntime;
  /** Of files, within the project of the tests. */
  readonly transfers: Transfers;
  readonly call: CallService;
  /** Posts a text as JSON, as it is. */
  send(path: string, text: string): Promise<Answer<Record<string, unknown>>>;
  /** Makes a Dataset, and answers its path within the project. */
  newDataset(projectId?: string, settings?: object): Promise<{ dataset: Dataset; path: string }>;
  newExample(path: string, example?: object, projectId?: string): Promise<Example>;
  stop(): Promise<void>;
}

export interface TestServiceOptions extends Pick<DatasetsDependencies, 'removal'> {
  mongoUrl?: string;
  clock?: Clock;
  maxWaitingChanges?: number;
  maxImportFileBytes?: number;
  maxRunningImports?: number;
}

export const PROJECT_ID = newId('prj');
export const OTHER_PROJECT_ID = newId('prj');
export const STARTED_AT = 1_780_000_000_000;
export const CHAT_V1 = { type: 'chat', version: 1 } as const;

/** Answers are checked against their schemas in every test. */
process.env['CLEW_CHECK_RESPONSES'] = 'true';

/** An Example that differs from others by its text. */
export function manualExample(text = 'a question', more: Partial<NewExample> = {}): NewExample {
  return {
    source: { kind: 'manual', externalRef: 'case-1' },
    tags: [],
    payload: { input: { type: 'text', text } },
    ...more,
  };
}

export async function openTestDatabase(environment: TestEnvironment, mongoUrl = environment.mongoUrl) {
  const logger = silentLogger();
  const database = await connectMongo({ url: mongoUrl, database: environment.database, appName: 'test', logger });
  await migrate(database, migrations, { logger });
  return database;
}

export async function startTestService(
  environment: TestEnvironment,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const database = await openTestDatabase(environment, options.mongoUrl);
  const clock = fixedClock(STARTED_AT);
  const identities = createIdentities();
  const modelRuntime = await startModelRuntime(identities);
  const datasets = createDatasets({
    config: {
      AUTH_SECRET: 'a secret of the tests, which is long enough',
      MAX_JSON_BODY_BYTES: 1024 * 1024,
      MAX_BATCH_BODY_BYTES: 64 * 1024 * 1024,
      MAX_WAITING_CHANGES: options.maxWaitingChanges ?? 1_000,
      MAX_IMPORT_FILE_BYTES: options.maxImportFileBytes ?? 4 * 1024 ** 3,
      MAX_RUNNING_IMPORTS: options.maxRunningImports ?? 4,
    },
    ...{ database, clock: options.clock ?? clock },
    logger: silentLogger(),
    authenticate: identities.authenticate,
    modelRuntime: createServiceClient({
      baseUrl: modelRuntime.url,
      serviceName: 'datasets-svc',
      sign: identities.signerOf('datasets-svc'),
    }),
    metrics: createMetrics('test'),
    info: { service: 'datasets-svc', version: '0', deploymentTarget: 'server', startedAtMs: Date.now() },
    readiness: createReadiness([]),
    ...(options.removal === undefined ? {} : { removal: options.removal }),
  });
  const server = await listen(datasets.listener, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${server.port}`;
  const principal = keyWith('workspace:read', 'models:manage');
  const call = callerOf({ ...{ url, identities, principal }, projectId: PROJECT_ID });
  return {
    ...{ url, database, clock, datasets, modelRuntime, call },
    transfers: transfersOf(url, identities.tokenOf, PROJECT_ID),
    send: (path, text) => call({ method: 'POST', path, rawBody: text }),
    async newDataset(projectId = PROJECT_ID, settings = {}) {
      const body = { name: 'a Dataset', schema: CHAT_V1, ...settings };
      const answer = await call<Dataset>({ method: 'POST', path: '/datasets', projectId, body });
      if (answer.status !== 201) throw new Error(`The Dataset was refused: ${answer.text}`);
      return { dataset: answer.body, path: `/datasets/${answer.body.id}` };
    },
    async newExample(path, example = manualExample(), projectId = PROJECT_ID) {
      const answer = await call<Example>({ method: 'POST', path: `${path}/examples`, projectId, body: example });
      if (answer.status !== 201) throw new Error(`The Example was refused: ${answer.text}`);
      return answer.body;
    },
    async stop() {
      await server.stop();
      await datasets.remover.stop();
      await modelRuntime.stop();
      await database.close();
    },
  };
}
