import type { Dataset, Example, NewExample } from '@clew/contracts';
import { createInferenceClient } from '@clew/inference';
import { newId, type Clock } from '@clew/kernel';
import type { Broker, Publisher } from '@clew/messaging';
import type { Database } from '@clew/persistence';
import { fixedClock, type FixedClock, type TestEnvironment } from '@clew/testing';
import { openTestDatabaseHost } from '@clew/testing-host';
import {
  callerOf,
  createIdentities,
  keyWith,
  type Answer,
  type CallService,
  type Identities,
} from '@clew/testing/identities';
import { DatasetsConfig } from '../config.ts';
import { createDatasets, type Datasets, type DatasetsDependencies } from '../create-datasets.ts';
import { migrations } from '../migrations.ts';
import { startModelRuntime, type LoopbackModelRuntime } from './model-runtime.ts';
import { startSources, type LoopbackSources } from './sources.ts';
import { transfersOf, type Transfers } from './transfers.ts';

/** Service instance on loopback, wired as in `main`. */
export interface TestService {
  readonly url: string;
  readonly database: Database;
  readonly clock: FixedClock;
  readonly datasets: Datasets;
  readonly modelRuntime: LoopbackModelRuntime;
  readonly sources: LoopbackSources;
  /** Transfers of files in the project of the tests. */
  readonly transfers: Transfers;
  transfersOf(projectId: string): Transfers;
  readonly call: CallService;
  /** Signs calls of another service. */
  signerOf: Identities['signerOf'];
  readonly broker: Broker;
  readonly publisher: Publisher;
  /** Starts background tasks: consumers, and what is due. */
  start(): void;
  /** Posts a text unchanged, as JSON. */
  send(path: string, text: string): Promise<Answer<Record<string, unknown>>>;
  /** Makes a Dataset, and returns its path within the project. */
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

/** Example that differs from others by its text. */
export function manualExample(text = 'a question', more: Partial<NewExample> = {}): NewExample {
  return {
    source: { kind: 'manual', externalRef: 'case-1' },
    tags: [],
    payload: { input: { type: 'text', text } },
    ...more,
  };
}

export async function startTestService(
  environment: TestEnvironment,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const identities = createIdentities();
  const modelRuntime = await startModelRuntime(identities.at('model-runtime-svc'));
  const sources = await startSources(identities);
  const host = await openTestDatabaseHost(environment, {
    ...{ name: 'datasets-svc', config: DatasetsConfig, migrations, identities },
    variables: {
      MODEL_RUNTIME_SVC_URL: modelRuntime.url,
      TELEMETRY_WAREHOUSE_URL: sources.urls.warehouse,
      DIAGNOSTICS_SVC_URL: sources.urls.diagnostics,
      KNOWLEDGE_SVC_URL: sources.urls.knowledge,
      ...limitsOf(options),
    },
    clock: options.clock ?? fixedClock(STARTED_AT),
    ...(options.mongoUrl === undefined ? {} : { mongoUrl: options.mongoUrl }),
  });
  const { database, broker, publisher, clock } = host;
  const served = await host.serve(
    createDatasets({
      ...host,
      modelRuntime: host.client('model-runtime-svc'),
      warehouse: host.client('telemetry-warehouse'),
      diagnostics: host.client('diagnostics-svc'),
      knowledge: host.client('knowledge-svc'),
      inference: createInferenceClient(host.callerOf('model-runtime-svc')),
      collectionPollMs: 20,
      ...(options.removal === undefined ? {} : { removal: options.removal }),
    }),
  );
  const { url, app: datasets } = served;
  const principal = keyWith('workspace:read', 'models:manage');
  const own = identities.at('datasets-svc');
  const call = callerOf({ ...{ url, principal }, identities: own, projectId: PROJECT_ID });
  return {
    ...{ url, database, broker, publisher, clock, datasets, modelRuntime, sources, call },
    signerOf: identities.signerOf,
    start: () => served.start(),
    transfers: transfersOf(url, own.tokenOf, PROJECT_ID),
    transfersOf: (projectId) => transfersOf(url, own.tokenOf, projectId),
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
      await served.stop();
      await modelRuntime.stop();
      await sources.stop();
      await host.close();
    },
  };
}

function limitsOf({ maxWaitingChanges, maxImportFileBytes, maxRunningImports }: TestServiceOptions) {
  const limits = {
    MAX_WAITING_CHANGES: maxWaitingChanges,
    MAX_IMPORT_FILE_BYTES: maxImportFileBytes,
    MAX_RUNNING_IMPORTS: maxRunningImports,
  };
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}
