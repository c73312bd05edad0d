import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ModelDownload, ModelService, Principal, RuntimeSnapshot, ServiceOptions } from '@clew/contracts';
import { createApi, IDENTITY_HEADER, listen } from '@clew/http';
import { AppError, createCursorCodec, newId, systemClock } from '@clew/kernel';
import { createPublisher, startRelay } from '@clew/messaging';
import { createIdempotencyStore, nativeDb, type Database } from '@clew/persistence';
import { afterAll, beforeAll } from '@jest/globals';
import { eventually, silentLogger, useTestEnvironment, type TestEnvironment } from '@clew/testing';
import { openTestBroker, startLoopbackPrivacy } from '@clew/testing-host';
import { createMetrics, type Stoppable } from '@clew/runtime';
import { createIdentities, keyWith } from '@clew/testing/identities';
import {
  artifactOf,
  openToPod,
  SCRIPTED_VERSIONS,
  startAgentChild,
  startSupervisor,
  type AgentChild,
  type EngineHostKind,
  type SupervisorChild,
} from '@clew/testing-model-runtime';
import { createInference, type Inference } from '../create-inference.ts';
import { createRuntime, type Runtime, type RuntimeDependencies } from '../create-runtime.ts';
import { createBodyBudgets } from '../shared/index.ts';
import { testModel } from './models.ts';
import { openTestDatabase, testConfig } from './service.ts';

export interface RuntimeCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below `models` of the project; from the root if it begins with `//`. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  principal?: Principal;
  signal?: AbortSignal;
}

export interface RuntimeAnswer<Body> {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

/** Project that uses the runtime. */
export interface RuntimeUser {
  readonly projectId: string;
  /** Returns the address and headers of a call, for a test's own client. */
  request(call: RuntimeCall): { url: string; headers: Record<string, string> };
  send(call: RuntimeCall): Promise<Response>;
  call<Body = Record<string, unknown>>(call: RuntimeCall): Promise<RuntimeAnswer<Body>>;
  runtime(): Promise<RuntimeSnapshot>;
  /** Resolves with the record when it has the state. */
  untilEngine(engine: string, state: string): Promise<RuntimeSnapshot['engines'][number]>;
  untilDownload(modelId: string, state: string): Promise<ModelDownload>;
  untilService(modelId: string, state: string): Promise<ModelService>;
  /** Prepares a model and starts its service; resolves when it is ready. */
  startModel(modelId: string, options?: ServiceOptions): Promise<ModelService>;
  /** Installs the model's engine and downloads its artifact. */
  prepareModel(modelId: string): Promise<void>;
}

export interface TestRuntime {
  readonly database: Database;
  readonly runtime: Runtime;
  readonly home: string;
  /** Starts the background tasks of the endpoint. */
  startEndpoint(): void;
  user(projectId?: string): RuntimeUser;
  /** Starts the supervisor, which runs engines apart from the agent. */
  startSupervisor(): Promise<void>;
  /** Sends SIGKILL; resolves when the process is gone. */
  killSupervisor(): Promise<void>;
  /** Starts the agent in its own process. */
  startAgent(): Promise<AgentChild>;
  /** Ends the lease of a killed agent early, for tests that are not about it. */
  endClaim(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestRuntimeOptions {
  installMs?: number;
  fetchMs?: number;
  idleTimeoutMs?: number;
  /** True if it also serves model calls. */
  endpoint?: boolean;
  /** Host of the engines; by default the agent itself. */
  engines?: EngineHostKind;
}

const AUTH_SECRET = 'a secret of the tests, which is long enough';
const NODE = 'node-1';
const RETRY_DELAYS_MS = [100, 200];
const HOOK_TIMEOUT_MS = 60_000;
const SWEEP_MS = 200;
/** Enough time for any slow machine to answer a call. */
const DRAIN_MS = 60_000;
const ROOM_FOR_BODIES_BYTES = 1024 ** 3;
/** Polling interval: a look costs several queries, and more of them would slow down the work that is waited for. */
const WAIT = { timeoutMs: 40_000, intervalMs: 50 };

async function newHome(engines: EngineHostKind): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'clew-home-'));
  await openToPod(engines, home);
  return home;
}

type ScriptedParts = Pick<RuntimeDependencies, 'database' | 'logger' | 'bodyBudgets' | 'ending'>;

/** Runtime of an API with scripted models. */
function scriptedRuntime(parts: ScriptedParts, idleTimeoutMs: number): Runtime {
  return createRuntime({
    ...parts,
    config: { AUTH_SECRET, MODEL_NODE: NODE, MODEL_IDLE_TIMEOUT_MS: idleTimeoutMs },
    clock: systemClock,
    versions: SCRIPTED_VERSIONS,
    findModel: async (_projectId, modelId) => testModel(modelId),
    async authorizeGated(_projectId, { modelId }) {
      if (modelId.startsWith('gated-')) throw new AppError('GATED_REPOSITORY', 'The hub does not open it');
    },
  });
}

async function startTestRuntime(environment: TestEnvironment, options: TestRuntimeOptions = {}): Promise<TestRuntime> {
  // Answers are checked against their schemas in every test.
  process.env['CLEW_CHECK_RESPONSES'] = 'true';
  const logger = silentLogger();
  const database = await openTestDatabase(environment);
  const { engines = 'children of the agent' } = options;
  const home = await newHome(engines);
  const broker = await openTestBroker(environment, { service: 'model-runtime-svc', retryDelaysMs: RETRY_DELAYS_MS });
  const publisher = createPublisher(broker);
  const relay = startRelay({ database, publisher, logger });
  const identities = createIdentities().at('model-runtime-svc');
  const ending = new AbortController();
  const bodyBudgets = createBodyBudgets({ memoryBytes: ROOM_FOR_BODIES_BYTES, diskBytes: ROOM_FOR_BODIES_BYTES });
  const idleTimeoutMs = options.idleTimeoutMs ?? 0;
  const runtime = scriptedRuntime({ database, logger, bodyBudgets, ending: ending.signal }, idleTimeoutMs);
  const { authenticate } = identities;
  const privacy = await startLoopbackPrivacy(createIdentities());
  const inference = options.endpoint === true ? createTestInference() : undefined;
  const routes = [...runtime.routes, ...(inference?.routes ?? [])];
  const idempotency = createIdempotencyStore(database, AUTH_SECRET);
  const server = await listen(createApi({ authenticate, logger, routes, idempotency }), { host: '127.0.0.1', port: 0 });
  const endpointParts: Stoppable[] = [];
  const agents: AgentChild[] = [];
  const supervisors: SupervisorChild[] = [];
  const settings = {
    ...{ mongoUrl: environment.mongoUrl, database: environment.database, amqpUrl: environment.amqpUrl },
    ...{ home, node: NODE, authSecret: AUTH_SECRET, retryDelaysMs: RETRY_DELAYS_MS, engines },
    ...{ installMs: options.installMs ?? 50, fetchMs: options.fetchMs ?? 50 },
    ...{ sweepMs: SWEEP_MS, drainMs: DRAIN_MS },
    logLevel: process.env['AGENT_LOG_LEVEL'] ?? 'silent',
  };

  function createTestInference(): Inference {
    return createInference({
      ...{ database, broker, publisher, logger, bodyBudgets },
      config: testConfig(environment),
      warehouse: privacy.clientFor('model-runtime-svc'),
      localServices: runtime.running,
      cursors: createCursorCodec(Buffer.from(AUTH_SECRET)),
      clock: systemClock,
      metrics: createMetrics('test'),
    });
  }

  return {
    ...{ database, runtime, home },
    startEndpoint: () => void endpointParts.push(...(inference?.start() ?? [])),
    user: (projectId = newId('prj')) => {
      const root = `http://127.0.0.1:${server.port}`;
      const tokenOf = (call: RuntimeCall) => identities.tokenOf(principalOf(call), projectId);
      return runtimeUser(projectId, (call) => {
        const path = call.path.startsWith('//') ? call.path.slice(1) : `/v1/projects/${projectId}/models${call.path}`;
        return { url: `${root}${path}`, ...requestOf(call, tokenOf(call)) };
      });
    },
    async startSupervisor() {
      supervisors.push(await startSupervisor(home));
    },
    killSupervisor: async () => supervisors.at(-1)?.kill(),
    async startAgent() {
      const agent = startAgentChild(settings);
      agents.push(agent);
      await agent.ready;
      return agent;
    },
    async endClaim() {
      const leases = nativeDb(database.connection).collection<{ _id: string }>('leases');
      const { deletedCount } = await leases.deleteOne({ _id: `runtime-agent:${NODE}` });
      if (deletedCount !== 1) throw new Error('No agent has claimed the node');
    },
    async stop() {
      await Promise.all([...agents, ...supervisors].map((child) => child.kill()));
      ending.abort();
      await server.stop();
      for (const part of endpointParts) await part.stop();
      await relay.stop();
      await publisher.close();
      await Promise.all([broker.close(), database.close(), privacy.stop()]);
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Runtime for a test file, available from `beforeAll` on; an agent runs unless the file starts its own. */
export function useTestRuntime(options: TestRuntimeOptions & { agent?: boolean } = {}): () => TestRuntime {
  let runtime: TestRuntime | undefined;
  // The runtime stops before the servers that it uses lose its database and vhost: hooks run in the order of their
  // creation.
  afterAll(() => runtime?.stop(), HOOK_TIMEOUT_MS);
  const environment = useTestEnvironment();
  beforeAll(async () => {
    runtime = await startTestRuntime(environment, options);
    if (options.engines === 'in a container of their own') await runtime.startSupervisor();
    if (options.agent !== false) await runtime.startAgent();
  }, HOOK_TIMEOUT_MS);
  return () => {
    if (runtime === undefined) throw new Error('The runtime is there from beforeAll on');
    return runtime;
  };
}

function principalOf({ principal }: RuntimeCall): Principal {
  return principal ?? keyWith('workspace:read', 'models:manage', 'gateway:invoke');
}

type Request = RequestInit & { url: string; headers: Record<string, string> };

function requestOf({ method = 'GET', body, headers = {}, signal }: RuntimeCall, token: string): Omit<Request, 'url'> {
  const isJson = body !== undefined && !(body instanceof FormData) && typeof body !== 'string';
  return {
    method,
    headers: { [IDENTITY_HEADER]: token, ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string | FormData) }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function runtimeUser(projectId: string, request: (call: RuntimeCall) => Request): RuntimeUser {
  const send: RuntimeUser['send'] = (made) => {
    const { url, ...init } = request(made);
    return fetch(url, init);
  };
  const call: RuntimeUser['call'] = async (made) => {
    const response = await send(made);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const body: unknown = isJson ? JSON.parse(text) : null;
    return { status: response.status, headers: response.headers, text, body: body as never };
  };
  const runtime = async () => (await call<RuntimeSnapshot>({ path: '/runtime' })).body;
  const until = <Entry extends { state: string }>(
    state: string,
    find: (snapshot: RuntimeSnapshot) => Entry | undefined,
  ) =>
    eventually(async () => {
      const entry = find(await runtime());
      if (entry?.state !== state) throw new Error(`waited for ${state}, found ${JSON.stringify(entry)}`);
      return entry;
    }, WAIT);
  const user: RuntimeUser = {
    ...{ projectId, request, send, call, runtime },
    untilEngine: (engine, state) => until(state, ({ engines }) => engines.find((entry) => entry.engine === engine)),
    untilDownload: (modelId, state) =>
      until(state, ({ downloads }) => downloads.find((entry) => entry.modelId === modelId)),
    untilService: (modelId, state) =>
      until(state, ({ services }) => services.find((entry) => entry.modelId === modelId)),
    async prepareModel(modelId) {
      const { engine, profileId } = artifactOf(modelId);
      await call({ method: 'POST', path: `/engines/${engine}/installations` });
      await call({ method: 'POST', path: `/${modelId}/profiles/${profileId}/downloads` });
      await user.untilEngine(engine, 'ready');
      await user.untilDownload(modelId, 'completed');
    },
    async startModel(modelId, options) {
      await user.prepareModel(modelId);
      const { profileId } = artifactOf(modelId);
      await call({ method: 'PUT', path: `/${modelId}/profiles/${profileId}/service`, body: options });
      return user.untilService(modelId, 'ready');
    },
  };
  return user;
}
