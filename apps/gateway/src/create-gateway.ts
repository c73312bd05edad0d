import { createSecretKey, type KeyObject } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createCursorCodec, deriveSecret, type AppError, type Clock } from '@clew/kernel';
import { createApi, createIdentitySigner, operationsRouter, SERVICE_REQUEST_ID_HEADER } from '@clew/http';
import { createOutbox, type Database } from '@clew/persistence';
import type { Logger, MetricsRegistry, Readiness, ServiceInfo } from '@clew/runtime';
import { createAccessLog } from './access-log.ts';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { createApiKeysService } from './api-keys/api-keys.service.ts';
import { createApiKeyStore } from './api-keys/api-keys.store.ts';
import { createAuditLog } from './audit/audit.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import { rememberedCaller } from './caller.ts';
import type { GatewayConfig } from './config.ts';
import { documentationRouter } from './documentation.ts';
import { createGatewayServer } from './gateway-server.ts';
import { projectRoutes } from './projects/projects.routes.ts';
import { createProjectsService } from './projects/projects.service.ts';
import { createProjectStore } from './projects/projects.store.ts';
import type { UpstreamName } from './proxy/route-table.ts';
import { createUpstreamProxy, type UpstreamProxy } from './proxy/upstream-proxy.ts';
import { createRateLimit } from './rate-limit.ts';
import { sendError } from './send-error.ts';

export interface GatewayDependencies {
  config: GatewayConfig;
  database: Database;
  clock: Clock;
  logger: Logger;
  metrics: MetricsRegistry;
  info: ServiceInfo;
  readiness: Readiness;
  signingKey: KeyObject;
}

/** Wires the gateway; it does not listen yet. `forgetKey` drops a key from the cache when another replica changed it. */
export function createGateway(deps: GatewayDependencies) {
  const { config, database, clock, logger, metrics } = deps;
  const apiKeys = createApiKeyStore(database);
  const pepper = createSecretKey(deriveSecret(config.AUTH_SECRET, 'key-pepper/v1'));
  const authenticator = createAuthenticator({ apiKeys, pepper, cacheMs: config.API_KEY_CACHE_MS, clock, logger });
  const upstreams = createUpstreams(config, logger);
  const server = createGatewayServer({
    authenticator,
    rateLimit: createRateLimit({
      requestsPerSecond: config.RATE_LIMIT_PER_SECOND,
      windowSeconds: config.RATE_LIMIT_WINDOW_SECONDS,
    }),
    sign: createIdentitySigner('gateway', deps.signingKey),
    upstreams,
    ownRoutes: createOwnRoutes(deps, apiKeys, pepper, authenticator.forget),
    accessLog: createAccessLog(logger, metrics),
    logger,
    maxBodyBytes: {
      json: config.MAX_JSON_BODY_BYTES,
      batch: config.MAX_BATCH_BODY_BYTES,
      otlp: config.MAX_BATCH_BODY_BYTES,
      stream: config.MAX_STREAM_BODY_BYTES,
    },
    upstreamTimeoutMs: {
      json: config.JSON_UPSTREAM_TIMEOUT_MS,
      batch: config.BATCH_UPSTREAM_TIMEOUT_MS,
      otlp: config.BATCH_UPSTREAM_TIMEOUT_MS,
      stream: config.STREAM_UPSTREAM_TIMEOUT_MS,
    },
    maxRequestsInFlight: config.MAX_REQUESTS_IN_FLIGHT,
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
  });
  return {
    server,
    forgetKey: authenticator.forget,
    forgetAllKeys: authenticator.forgetAll,
    closeUpstreams: () => Object.values(upstreams).forEach((upstream) => upstream.close()),
  };
}

function createOwnRoutes(
  { config, database, clock, logger, metrics, info, readiness }: GatewayDependencies,
  apiKeys: ReturnType<typeof createApiKeyStore>,
  pepper: KeyObject,
  onKeyChanged: (keyId: string) => void,
) {
  const projects = createProjectStore(database);
  const audit = createAuditLog(database);
  const cursors = createCursorCodec(deriveSecret(config.AUTH_SECRET, 'cursor/v1'));
  const outbox = createOutbox(database);
  const environment = config.API_KEY_ENVIRONMENT;
  const keys = createApiKeysService({
    database,
    apiKeys,
    projects,
    audit,
    outbox,
    cursors,
    clock,
    pepper,
    environment,
    onKeyChanged,
  });
  return createApi({
    authenticate: rememberedCaller,
    logger,
    maxBodyBytes: { json: config.MAX_JSON_BODY_BYTES, batch: config.MAX_BATCH_BODY_BYTES },
    operations: [operationsRouter({ info, readiness, metrics }), documentationRouter(config.OPENAPI_FILE)],
    routes: [
      ...projectRoutes(createProjectsService({ database, projects, audit, cursors, clock })),
      ...apiKeyRoutes(keys),
    ],
  });
}

function createUpstreams(config: GatewayConfig, logger: Logger): Record<UpstreamName, UpstreamProxy> {
  const proxyTo = (name: UpstreamName, target: string) =>
    createUpstreamProxy({
      target,
      onError: (error: AppError, _request, response: ServerResponse) => {
        const requestId = String(response.getHeader(SERVICE_REQUEST_ID_HEADER));
        logger.warn({ err: error.cause, requestId, upstream: name, code: error.code }, error.message);
        sendError(response, error, requestId);
      },
    });
  return {
    'telemetry-ingest': proxyTo('telemetry-ingest', config.TELEMETRY_INGEST_URL),
    'telemetry-warehouse': proxyTo('telemetry-warehouse', config.TELEMETRY_WAREHOUSE_URL),
    'diagnostics-svc': proxyTo('diagnostics-svc', config.DIAGNOSTICS_SVC_URL),
  };
}
