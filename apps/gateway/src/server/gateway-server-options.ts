import type { RequestListener } from 'node:http';
import type { RouteClass } from '@clew/contracts';
import type { IdentitySigner } from '@clew/http';
import type { AppError } from '@clew/kernel';
import type { Logger } from '@clew/runtime';
import type { Authenticator } from '../auth/authenticator.ts';
import type { ProjectAccess } from '../auth/project-access.ts';
import type { UpstreamName } from '../proxy/route-table.ts';
import type { UpstreamProxy } from '../proxy/upstream-proxy.ts';
import type { AccessLog } from './access-log.ts';
import type { BodyWatch } from './body-watch.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { LoadShedder } from './load-shedder.ts';
import type { ProjectShares } from './project-shares.ts';
import type { OpenRateLimit, RateLimit } from './rate-limit.ts';

/** Parts of the server in front of everything, and its limits. */
export interface GatewayServerOptions {
  authenticator: Authenticator;
  projectAccess: ProjectAccess;
  rateLimit: RateLimit;
  openRateLimit: OpenRateLimit;
  concurrencyLimit: ConcurrencyLimit;
  projectShares: ProjectShares;
  sign: IdentitySigner;
  upstreams: Readonly<Record<UpstreamName, UpstreamProxy>>;
  /** Listener that answers the gateway's own routes. */
  ownRoutes: RequestListener;
  /** Listener that answers `/` and what is neither the API's nor a page's; undefined if there is no Workbench. */
  workbench?: RequestListener | undefined;
  accessLog: AccessLog;
  loadShedder: LoadShedder;
  /** Holds bodies of streams and recordings to a minimum rate. */
  bodyRates: BodyWatch;
  /** Holds all other bodies to a time limit. */
  bodyDeadlines: BodyWatch;
  logger: Logger;
  maxBodyBytes: Readonly<Record<RouteClass, number>>;
  upstreamTimeoutMs: Readonly<Record<RouteClass, number>>;
  /** Time limit for the headers, from the start of a connection or request, also if nothing arrives at all. */
  headersTimeoutMs: number;
  /** Time for which the rest of the body of an answered request is read and dropped; 5,000 by default. */
  leftoverMs?: number | undefined;
  /** Aborted when the gateway stops. */
  ending: AbortSignal;
  /** Error for the caller if a request failed because the gateway's own database is away. */
  outageError?: ((thrown: unknown) => AppError | undefined) | undefined;
  maxConnections: number;
  /** Origin of this deployment's pages. */
  publicOrigin: string;
  /** Proxies in front of the gateway that add to `X-Forwarded-For`. */
  proxies: number;
}
