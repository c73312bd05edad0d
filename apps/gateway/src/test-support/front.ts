import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { newId, systemClock, type AppError, type Clock } from '@clew/kernel';
import { CALLED_SERVICES, type CalledService, type RouteClass } from '@clew/contracts';
import {
  createApi,
  createIdentitySigner,
  createIdentityVerifier,
  listen,
  operationsRouter,
  type Caller,
} from '@clew/http';
import { cacheLookups, createLogger, createMetrics, createReadiness, type MetricsRegistry } from '@clew/runtime';
import { createAuthenticator, type Authenticator } from '../auth/authenticator.ts';
import { createProjectAccess } from '../auth/project-access.ts';
import { rememberedCaller } from '../caller.ts';
import { documentationRouter } from '../documentation.ts';
import { registerGauges } from '../gauges.ts';
import { projectRoutes } from '../projects/projects.routes.ts';
import type { ProjectsService } from '../projects/projects.service.ts';
import { createCircuitBreaker } from '../proxy/circuit-breaker.ts';
import { resolveRoute } from '../proxy/route-table.ts';
import { createUpstreamProxy } from '../proxy/upstream-proxy.ts';
import { createAccessLog } from '../server/access-log.ts';
import { createBodyDeadlines } from '../server/body-deadlines.ts';
import { createBodyRates } from '../server/body-rates.ts';
import { createConcurrencyLimit, type CallKind } from '../server/concurrency-limit.ts';
import { createGatewayServer } from '../server/gateway-server.ts';
import { createLoadShedder } from '../server/load-shedder.ts';
import { createProjectShares } from '../server/project-shares.ts';
import { createOpenRateLimit, createRateLimit } from '../server/rate-limit.ts';
import { sendError } from '../server/send-error.ts';
import { createSessionCookie } from '../sessions/session-cookie.ts';
import { meRoutes } from '../people/me.routes.ts';
import { createWorkbench } from '../workbench/create-workbench.ts';
import { PROJECT, TEST_PEPPER, testKey, WORKSPACE, type TestKey } from './keys.ts';
import { memoryPeople, PUBLIC_URL, TOKENS, type TestPerson } from './people.ts';
import type { SeenRequest } from './upstream.ts';

export interface FrontOptions {
  /** Address of all services. */
  upstreamUrl?: string;
  keys?: readonly TestKey[];
  /** People who are signed in. */
  people?: readonly TestPerson[];
  /** Workspaces by project. */
  projects?: Readonly<Record<string, string>>;
  clock?: Clock;
  /** Each look-up of a key waits for this promise. */
  lookingUp?: () => Promise<void>;
  cacheMs?: number;
  maxBodyBytes?: Partial<Record<RouteClass, number>>;
  upstreamTimeoutMs?: number;
  connectTimeoutMs?: number;
  bodyTimeoutMs?: number;
  bodyRate?: { minBytes: number; windowMs: number };
  headersTimeoutMs?: number;
  leftoverMs?: number;
  requestsPerWindow?: number;
  openRequestsPerWindow?: number;
  maxAtATime?: Partial<Record<CallKind, number>>;
  maxConnections?: number;
  maxRequestsInFlight?: number;
  /** Requests of all projects together; one project has at most three quarters of them. */
  maxRequestsOfProjects?: number;
  turns?: { places: number; share: number };
  maxEventLoopLagMs?: number;
  breaker?: { failures: number; openMs: number };
  /** Folder of the built Workbench. */
  workbench?: string;
  outageError?: (thrown: unknown) => AppError | undefined;
}

export type LogLine = Record<string, unknown>;

/** Gateway server as it runs, with keys and projects from memory instead of a database. */
export interface Front {
  url: string;
  port: number;
  /** Key that opens the project. */
  key: TestKey;
  authenticator: Authenticator;
  metrics: MetricsRegistry;
  log: LogLine[];
  /** Caller of a request, as the called service reads it. */
  callerOf(request: SeenRequest): Caller | undefined;
  /** Ends event streams, as when the process is told to stop. */
  endEvents(): void;
  stop(): Promise<void>;
}

const DEPLOYMENT = {
  features: { rules: true, workItems: true, modelRuntime: true, mail: false },
  version: '0',
} as const;

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const BODY_LIMIT = 1024 * 1024;

export async function startFront(options: FrontOptions = {}): Promise<Front> {
  const key = testKey();
  const { logger, log } = memoryLogger();
  const metrics = createMetrics('gateway');
  const authenticator = memoryAuthenticator([key, ...(options.keys ?? [])], options, logger);
  const loadShedder = createLoadShedder({
    maxRequestsInFlight: options.maxRequestsInFlight ?? 1_000,
    maxEventLoopLagMs: options.maxEventLoopLagMs ?? 60_000,
  });
  const bodyDeadlines = createBodyDeadlines(options.bodyTimeoutMs ?? 30_000);
  const bodyRates = createBodyRates(options.bodyRate ?? { minBytes: 65_536, windowMs: 30_000 });
  const upstream = createUpstreamProxy({
    target: options.upstreamUrl ?? 'http://127.0.0.1:1',
    breaker: createCircuitBreaker(options.breaker ?? { failures: 1_000, openMs: 1_000 }),
    connectTimeoutMs: options.connectTimeoutMs ?? 3_000,
    onError: (error, request, response) => sendError(request, response, error),
  });
  const upstreams = Object.fromEntries(CALLED_SERVICES.map((name) => [name, upstream])) as Record<
    CalledService,
    typeof upstream
  >;
  const workspaces: Readonly<Record<string, string>> = { [PROJECT]: WORKSPACE, ...options.projects };
  const ending = new AbortController();
  const maxBodyBytes = { ...sameForAll(BODY_LIMIT), ...options.maxBodyBytes };
  const server = createGatewayServer({
    authenticator,
    projectAccess: createProjectAccess({ workspaceOf: (projectId) => workspaces[projectId] }),
    rateLimit: createRateLimit({ requestsPerSecond: options.requestsPerWindow ?? 1_000_000, windowSeconds: 1 }),
    openRateLimit: createOpenRateLimit({
      ...{ requestsPerSecond: options.openRequestsPerWindow ?? 1_000_000, windowSeconds: 1, timesPerCaller: 2 },
    }),
    concurrencyLimit: createConcurrencyLimit({ ...sameForAll(1_000), events: 1_000, ...options.maxAtATime }),
    projectShares: createProjectShares({
      maxRequestsInFlight: options.maxRequestsOfProjects ?? 10_000,
      turns: options.turns ?? { places: 1_000, share: 1_000 },
    }),
    sign: createIdentitySigner('gateway', privateKey),
    upstreams,
    ownRoutes: ownRoutes(logger, maxBodyBytes),
    workbench: createWorkbench({ folder: options.workbench, publicUrl: PUBLIC_URL, logger }),
    accessLog: createAccessLog(logger, metrics),
    loadShedder,
    bodyRates,
    bodyDeadlines,
    logger,
    ending: ending.signal,
    outageError: options.outageError,
    maxBodyBytes,
    upstreamTimeoutMs: sameForAll(options.upstreamTimeoutMs ?? 10_000),
    headersTimeoutMs: options.headersTimeoutMs ?? 5_000,
    leftoverMs: options.leftoverMs,
    maxConnections: options.maxConnections ?? 10_000,
    publicOrigin: PUBLIC_URL,
    proxies: 0,
  });
  registerGauges(metrics, loadShedder, upstreams);
  const running = await listen(server, { host: '127.0.0.1', port: 0 });
  let stopped: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${running.port}`,
    port: running.port,
    key,
    authenticator,
    metrics,
    log,
    callerOf,
    endEvents: () => ending.abort(),
    stop() {
      stopped ??= running.stop().then(() => {
        upstream.close();
        loadShedder.close();
        bodyRates.close();
        bodyDeadlines.close();
      });
      return stopped;
    },
  };
}

function callerOf(request: SeenRequest): Caller | undefined {
  const route = resolveRoute(request.method, request.url?.split('?', 1)[0] ?? '');
  if (route.kind !== 'proxied') throw new Error(`${request.url} is for no service`);
  const verify = createIdentityVerifier(route.upstream, new Map([['gateway', publicKey]]));
  return verify(request as unknown as IncomingMessage) as Caller | undefined;
}

function memoryLogger() {
  const log: LogLine[] = [];
  const destination = { write: (line: string) => void log.push(JSON.parse(line) as LogLine) };
  return { log, logger: createLogger({ service: 'gateway', version: '0', level: 'info', destination }) };
}

const COOKIE = createSessionCookie(PUBLIC_URL);
const UNTOLD = cacheLookups(createMetrics('test'), 'api keys');

function memoryAuthenticator(
  keys: readonly TestKey[],
  { clock = systemClock, cacheMs = 30_000, lookingUp, people = [] }: FrontOptions,
  logger: ReturnType<typeof memoryLogger>['logger'],
): Authenticator {
  const apiKeys = {
    async findByHash(hash: string) {
      await lookingUp?.();
      return keys.find(({ key }) => key.hash === hash)?.key;
    },
    touch: async () => undefined,
  };
  const { sessions, users } = memoryPeople(people);
  return createAuthenticator({
    ...{ apiKeys, sessions, users, cookie: COOKIE, tokens: TOKENS, pepper: TEST_PEPPER, cacheMs, clock, logger },
    lookups: { keys: UNTOLD, sessions: UNTOLD },
  });
}

function ownRoutes(logger: ReturnType<typeof memoryLogger>['logger'], maxBodyBytes: Record<RouteClass, number>) {
  const projects: ProjectsService = {
    create: async ({ workspaceId }, name) => ({ id: newId('prj'), workspaceId, name, createdAt: 1, updatedAt: 1 }),
    get: async ({ workspaceId }, id) => ({ id, workspaceId, name: 'test', createdAt: 1, updatedAt: 1 }),
    rename: async ({ workspaceId }, { projectId: id, name }) => ({ id, workspaceId, name, createdAt: 1, updatedAt: 1 }),
    list: async () => ({ projects: [], nextCursor: null }),
  };
  const info = { service: 'gateway', version: '0', deploymentTarget: 'server', startedAtMs: 0 } as const;
  const readiness = createReadiness([]);
  return createApi({
    authenticate: rememberedCaller,
    logger,
    maxBodyBytes,
    operations: [operationsRouter({ info, readiness }), documentationRouter('/nowhere/openapi.json')],
    // No request of these tests names an Idempotency-Key.
    idempotency: { fingerprintOf: String, begin: () => Promise.reject(new Error('There is no store here')) },
    routes: [...projectRoutes(projects), ...meRoutes({ rename: async (user) => user }, DEPLOYMENT)],
  });
}

function sameForAll(value: number): Record<RouteClass, number> {
  return { json: value, batch: value, otlp: value, inference: value, audio: value, stream: value };
}
