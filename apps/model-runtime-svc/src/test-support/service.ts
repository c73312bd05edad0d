import type { EnvelopeOf, Principal, PrivacySettings, spansReceived } from '@clew/contracts';
import { IDENTITY_HEADER } from '@clew/http';
import { newId, type Clock } from '@clew/kernel';
import { consume, QUEUES, type Broker } from '@clew/messaging';
import type { Database } from '@clew/persistence';
import { loadConfig } from '@clew/runtime';
import { fixedClock, type FixedClock, type TestEnvironment } from '@clew/testing';
import { openMigratedDatabase, openTestDatabaseHost, startLoopbackPrivacy } from '@clew/testing-host';
import { ModelRuntimeConfig } from '../config.ts';
import { createModelRuntime } from '../create-model-runtime.ts';
import { migrations } from '../migrations.ts';
import { createIdentities, keyWith, type Identities, type ServiceIdentities } from '@clew/testing/identities';

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path from the root. */
  path: string;
  /** JSON, unless it is a form or text. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Principal of the request: by default a key with every scope of models; null sends no identity. */
  principal?: Principal | null;
  projectId?: string;
  signal?: AbortSignal;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

export type Recorded = EnvelopeOf<typeof spansReceived>;

/** One instance of the API role on loopback, wired as in its `main`. */
export interface TestService {
  readonly url: string;
  readonly database: Database;
  readonly broker: Broker;
  readonly clock: FixedClock;
  readonly identities: Identities;
  /** Telemetry that it has published. */
  readonly recorded: Recorded[];
  send(call: Call): Promise<Response>;
  call<Body = Record<string, unknown>>(call: Call): Promise<Answer<Body>>;
  stop(): Promise<void>;
}

export interface TestServiceOptions {
  env?: Record<string, string>;
  /** Clock in place of the fixed one, for example that of the machine. */
  clock?: Clock;
  /** Privacy settings of projects, as the warehouse has them; by default none has any. */
  privacy?: Readonly<Record<string, PrivacySettings>>;
}

export const TEST_PROJECT = newId('prj');

export function openTestDatabase(environment: TestEnvironment, mongoUrl = environment.mongoUrl): Promise<Database> {
  return openMigratedDatabase(environment, { migrations, mongoUrl });
}

/** Configuration from the variables of a test. */
export function testConfig(environment: TestEnvironment, env: Record<string, string> = {}): ModelRuntimeConfig {
  return loadConfig(ModelRuntimeConfig, {
    MONGO_URL: environment.mongoUrl,
    AMQP_URL: environment.amqpUrl,
    AUTH_SECRET: 'a secret of the tests, which is long enough',
    IDENTITY_PRIVATE_KEY_FILE: 'unused',
    IDENTITY_PUBLIC_KEYS_FILE: 'unused',
    TELEMETRY_WAREHOUSE_URL: 'http://127.0.0.1:1',
    ...env,
  });
}

export async function startTestService(
  environment: TestEnvironment,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const identitiesOfAll = createIdentities();
  const privacy = await startLoopbackPrivacy(identitiesOfAll);
  for (const [projectId, settings] of Object.entries(options.privacy ?? {})) privacy.projects.set(projectId, settings);
  const host = await openTestDatabaseHost(environment, {
    ...{ name: 'model-runtime-svc', config: ModelRuntimeConfig, migrations },
    identities: identitiesOfAll,
    variables: { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', TELEMETRY_WAREHOUSE_URL: privacy.url, ...options.env },
    clock: options.clock ?? fixedClock(Date.UTC(2026, 0, 1)),
  });
  const { database, broker, identities, logger } = host;
  const clock = host.clock;
  const recorded: Recorded[] = [];
  const consumer = consume({
    ...{ broker, logger, queue: QUEUES.spansReceived },
    handle: async (message) => void recorded.push(message),
  });
  const served = await host.serve(createModelRuntime({ ...host, warehouse: host.client('telemetry-warehouse') }));
  const { url } = served;
  served.start();
  const send = (call: Call) => sendCall(url, identities.at('model-runtime-svc'), call);
  return {
    ...{ url, database, broker, clock, identities, recorded, send },
    async call(call) {
      const response = await send(call);
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('application/json') === true;
      const body = isJson && text !== '' ? JSON.parse(text) : null;
      return { status: response.status, headers: response.headers, text, body };
    },
    async stop() {
      await served.stop();
      await consumer.stop();
      await host.close();
      await privacy.stop();
    },
  };
}

const ALL_SCOPES = keyWith('workspace:read', 'models:manage', 'gateway:invoke', 'project:data:write');

function sendCall(url: string, identities: ServiceIdentities, call: Call): Promise<Response> {
  const { projectId = TEST_PROJECT, principal = ALL_SCOPES, body, signal } = call;
  const isRaw = typeof body === 'string' || body instanceof FormData;
  return fetch(`${url}${call.path}`, {
    method: call.method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(principal === null ? {} : { [IDENTITY_HEADER]: identities.tokenOf(principal, projectId) }),
      ...(body === undefined || isRaw ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}
