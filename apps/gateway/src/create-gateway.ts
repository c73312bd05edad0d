import { createSecretKey, type KeyObject } from 'node:crypto';
import { addressVariable, CALLED_SERVICES } from '@clew/contracts';
import type { App } from '@clew/host';
import { createApi, createIdentitySigner, SERVICE_REQUEST_ID_HEADER, type IdentitySigner } from '@clew/http';
import { comeBackLater, deriveSecret } from '@clew/kernel';
import { createIdempotencyStore } from '@clew/persistence';
import { cacheLookups, type Logger } from '@clew/runtime';
import { apiKeyRoutes } from './api-keys/api-keys.routes.ts';
import { createApiKeysService } from './api-keys/api-keys.service.ts';
import { createApiKeyStore, type ApiKeyStore } from './api-keys/api-keys.store.ts';
import { createAudit, type Audit } from './audit/create-audit.ts';
import { hearChanges } from './auth/hear-changes.ts';
import { createProjectAccess } from './auth/project-access.ts';
import { rememberedCaller } from './caller.ts';
import { createChanges, type Changes } from './changes/create-changes.ts';
import type { GatewayConfig } from './config.ts';
import { createIdentity, type Identity } from './create-identity.ts';
import { createQuotaRoutes } from './create-quotas.ts';
import { documentationRouter } from './documentation.ts';
import type { GatewayDependencies } from './gateway-dependencies.ts';
import { registerGauges } from './gauges.ts';
import { pageRouter } from './pages/page-routes.ts';
import { createProjectErasures, type ProjectErasures } from './project-erasures/create-project-erasures.ts';
import { createProjectDirectory } from './projects/project-directory.ts';
import { projectRoutes } from './projects/projects.routes.ts';
import { createProjectsService } from './projects/projects.service.ts';
import { createProjectStore, type ProjectStore } from './projects/projects.store.ts';
import { tellOfOtherSecret } from './projects/secret-mark.ts';
import { createCircuitBreaker } from './proxy/circuit-breaker.ts';
import type { UpstreamName } from './proxy/route-table.ts';
import { createUpstreamProxy, type UpstreamProxy } from './proxy/upstream-proxy.ts';
import { createSignals, type Signals } from './signals/create-signals.ts';
import { createAccessLog } from './server/access-log.ts';
import { createBodyDeadlines } from './server/body-deadlines.ts';
import { createBodyRates } from './server/body-rates.ts';
import { createConcurrencyLimit } from './server/concurrency-limit.ts';
import { limitsOf, maxAtATime, projectSharesOf, rateLimitsOf } from './server/configured-limits.ts';
import { createGatewayServer } from './server/gateway-server.ts';
import { createLoadShedder } from './server/load-shedder.ts';
import { createProjectShares } from './server/project-shares.ts';
import { sendError } from './server/send-error.ts';
import { createWorkbench } from './workbench/create-workbench.ts';

export function createGateway(deps: GatewayDependencies): App {
  const { config, database, logger, metrics } = deps;
  const apiKeys = createApiKeyStore(database);
  const projects = createProjectStore(database);
  const pepper = createSecretKey(deriveSecret(config.AUTH_SECRET, 'key-pepper/v1'));
  const identity = createIdentity(deps, { apiKeys, projects, pepper });
  const { authenticator } = identity;
  const upstreams = createUpstreams(config, logger);
  const watches = createWatches(config);
  const sign = createIdentitySigner('gateway', deps.signingKey);
  const signals = createSignals({ ...deps, sign, projects });
  const directory = createProjectDirectory(projects, cacheLookups(metrics, 'projects'), config.API_KEY_CACHE_MS);
  const projectAccess = createProjectAccess(directory);
  const changes = createChanges({ ...deps, authenticator, projectAccess });
  const forgetProject = (projectId: string) => {
    directory.forget(projectId);
    changes.listeners.endProject(projectId);
  };
  const erasures = createProjectErasures({
    ...{ ...deps, apiKeys, projects, sign, closePeople: identity.people.closeProject, forgetProject },
  });
  const audit = createAudit({ ...deps, workspaceOf: [directory.workspaceOf, erasures.workspaceOf] });
  const server = createGatewayServer({
    authenticator,
    projectAccess,
    ...rateLimitsOf(config),
    concurrencyLimit: createConcurrencyLimit(maxAtATime(config)),
    projectShares: createProjectShares(projectSharesOf(config)),
    sign,
    upstreams,
    ownRoutes: createOwnRoutes(deps, {
      ...{ ...identity, apiKeys, projects, pepper, signals, erasures, sign, auditReads: audit, changes },
      onKeyChanged: authenticator.forget,
    }),
    workbench: createWorkbench({ folder: config.WORKBENCH_DIR, publicUrl: config.PUBLIC_URL, logger }),
    accessLog: createAccessLog(logger, metrics),
    ...watches,
    logger,
    outageError: deps.api.outageError,
    ending: deps.ending,
    publicOrigin: config.PUBLIC_URL,
    proxies: config.TRUSTED_PROXIES,
    ...limitsOf(config),
  });
  registerGauges(metrics, watches.loadShedder, upstreams);
  return {
    listener: server,
    operations: {
      listener: createApi({ authenticate: () => undefined, logger, routes: [], operations: deps.api.operations ?? [] }),
      port: config.OPERATIONS_PORT,
    },
    refuse: (request, response) =>
      sendError(request, response, comeBackLater('UPSTREAM_UNAVAILABLE', 'The gateway is stopping', 1_000)),
    start() {
      void tellOfOtherSecret(database, config.AUTH_SECRET, logger).catch((error: unknown) => {
        logger.warn({ err: error }, 'could not look whether the keys were made under this AUTH_SECRET');
      });
      void identity.signIn.begin().catch((error: unknown) => {
        logger.error({ err: error }, 'could not make the first owner, nor a link to do so');
      });
      return [
        ...hearChanges({ ...deps, forget: authenticator.forget, forgetAll: authenticator.forgetAll, forgetProject }),
        ...changes.start(),
        signals.start(),
        erasures.start(),
        ...identity.start(),
        ...audit.start(),
        {
          name: 'gateway',
          stop() {
            Object.values(upstreams).forEach((upstream) => upstream.close());
            Object.values(watches).forEach((watch) => watch.close());
          },
        },
      ];
    },
  };
}

/** Watches over the load, and over bodies that come slowly. */
function createWatches(config: GatewayConfig) {
  const { MIN_BODY_BYTES_PER_WINDOW: minBytes, BODY_WINDOW_MS: windowMs } = config;
  return {
    loadShedder: createLoadShedder({
      maxRequestsInFlight: config.MAX_REQUESTS_IN_FLIGHT,
      maxEventLoopLagMs: config.MAX_EVENT_LOOP_LAG_MS,
    }),
    bodyDeadlines: createBodyDeadlines(config.REQUEST_TIMEOUT_MS),
    bodyRates: createBodyRates({ minBytes, windowMs }),
  };
}

interface OwnRoutesDependencies extends Identity {
  apiKeys: ApiKeyStore;
  projects: ProjectStore;
  pepper: KeyObject;
  onKeyChanged: (keyId: string) => void;
  signals: Signals;
  erasures: ProjectErasures;
  auditReads: Audit;
  sign: IdentitySigner;
  changes: Changes;
}

function createOwnRoutes(
  { config, database, clock, logger, cursors, api, probes }: GatewayDependencies,
  {
    apiKeys,
    projects,
    users,
    audit,
    outbox,
    pepper,
    onKeyChanged,
    signals,
    erasures,
    signIn,
    auditReads,
    people,
    sign,
    changes,
    oidc,
    connecting,
  }: OwnRoutesDependencies,
) {
  const keys = createApiKeysService({
    database,
    apiKeys,
    projects,
    users,
    audit,
    outbox,
    cursors,
    clock,
    pepper,
    environment: config.API_KEY_ENVIRONMENT,
    onKeyChanged,
  });
  return createApi({
    authenticate: rememberedCaller,
    logger,
    maxBodyBytes: { json: config.MAX_JSON_BODY_BYTES, batch: config.MAX_BATCH_BODY_BYTES },
    idempotency: createIdempotencyStore(database, config.AUTH_SECRET),
    operations: [
      ...probes,
      documentationRouter(config.OPENAPI_FILE),
      pageRouter([...signIn.pages, ...people.pages, ...oidc.pages, ...connecting.pages], logger, api.outageError),
    ],
    outageError: api.outageError,
    routes: [
      ...projectRoutes(createProjectsService({ database, projects, audit, cursors, clock })),
      ...apiKeyRoutes(keys),
      ...signIn.routes,
      ...people.routes,
      ...oidc.routes,
      ...connecting.routes,
      ...signals.routes,
      ...erasures.routes,
      ...auditReads.routes,
      ...createQuotaRoutes({ config, database, clock, projects, audit, outbox, sign }),
      ...changes.routes,
    ],
  });
}

function createUpstreams(config: GatewayConfig, logger: Logger): Record<UpstreamName, UpstreamProxy> {
  const proxyTo = (name: UpstreamName, target: string) =>
    createUpstreamProxy({
      target,
      breaker: createCircuitBreaker({
        failures: config.UPSTREAM_BREAKER_FAILURES,
        openMs: config.UPSTREAM_BREAKER_OPEN_MS,
      }),
      connectTimeoutMs: config.UPSTREAM_CONNECT_TIMEOUT_MS,
      onError(error, request, response) {
        const requestId = response.getHeader(SERVICE_REQUEST_ID_HEADER);
        if (error.status >= 500) {
          logger.warn({ err: error.cause, requestId, upstream: name, code: error.code }, error.message);
        }
        sendError(request, response, error);
      },
    });
  return Object.fromEntries(
    CALLED_SERVICES.map((name) => [name, proxyTo(name, config[addressVariable(name)])]),
  ) as Record<UpstreamName, UpstreamProxy>;
}
