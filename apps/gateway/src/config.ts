import { join } from 'node:path';
import { z } from 'zod';
import { CALLED_SERVICES, EmailAddress } from '@clew/contracts';
import { addressVariables, databaseVariables } from '@clew/host';
import { mailVariables } from '@clew/mail';
import { outboundVariables } from '@clew/outbound';
import {
  booleanVariable,
  brokerVariables,
  identitySignerVariables,
  integerVariable,
  processVariables,
  secretVariables,
} from '@clew/runtime';

const MIB = 1024 * 1024;

export const GatewayConfig = z.object({
  ...processVariables,
  ...databaseVariables('gateway'),
  ...brokerVariables,
  ...secretVariables,
  ...identitySignerVariables,
  ...outboundVariables,
  /** Port of `/metrics`, `/healthz` and `/readyz` for operators; the public port serves no metrics. */
  OPERATIONS_PORT: integerVariable(0, 65_535, 9_080),
  /** Addresses of the services. */
  ...addressVariables(...CALLED_SERVICES),
  /** Address at which people and programs reach this deployment: links lead there, and sessions are for its pages only. */
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => ['', '/'].includes(new URL(url).pathname), 'must have no path')
    .transform((url) => new URL(url).origin)
    .default('http://localhost:8080'),
  /**
   * Proxies in front of the gateway, each of which adds the address that it sees to `X-Forwarded-For`: with too few, all
   * callers have the address of a proxy; with too many, a caller can make up an address.
   */
  TRUSTED_PROXIES: integerVariable(0, 10, 0),
  /** Fewest characters of a password. */
  MIN_PASSWORD_LENGTH: integerVariable(12, 64, 15),
  /** Mail address of the first owner, who is made at the start if nobody has an account yet. */
  CLEW_ADMIN_EMAIL: EmailAddress.optional(),
  /** File with the password of that owner. */
  CLEW_ADMIN_PASSWORD_FILE: z.string().optional(),
  /** JSON file with the sign-in providers (OpenID Connect); see below. Without one, people sign in with passwords. */
  OIDC_PROVIDERS_FILE: z.string().optional(),
  /** Mail addresses, with commas between them, whose people become owners when a sign-in provider has verified them. */
  OIDC_ADMIN_EMAILS: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((each) => each.trim() !== ''))
    .pipe(z.array(EmailAddress).max(100)),
  /** Time limit for an answer of a sign-in provider, in milliseconds. */
  OIDC_TIMEOUT_MS: integerVariable(100, 60_000, 10_000),
  /** `off` takes no passwords: people sign in at a provider, or with a link that an administrator or the server makes. */
  PASSWORD_SIGN_IN: z.enum(['on', 'off']).default('on'),
  /** Whether diagnostics-svc has Rules; `/v1/me` says so. */
  MOUNT_RULES: booleanVariable(true),
  /** Whether diagnostics-svc has work items; `/v1/me` says so. */
  MOUNT_WORK_ITEMS: booleanVariable(true),
  ...mailVariables,
  /** OpenAPI document that `/openapi.json` and `/docs` show. */
  OPENAPI_FILE: z.string().default(join(import.meta.dirname, '../../../docs/openapi/v1.json')),
  /**
   * Folder of the built Workbench (`apps/workbench/dist`), which is then served at `/` and below. It is read once, at the
   * start. Without one, the Workbench is not served.
   */
  WORKBENCH_DIR: z.string().optional(),
  /** Word in a key that tells its environment: `clew_<this>_...`. */
  API_KEY_ENVIRONMENT: z
    .string()
    .regex(/^[a-z]{2,10}$/)
    .default('live'),
  /**
   * Wait, in milliseconds, before a deleted project is searched for leftovers a second time: requests that were in
   * progress at the deletion have ended by then.
   */
  ERASURE_SETTLE_MS: integerVariable(0, 3_600_000, 120_000),
  /** Days for which entries of the audit are kept. */
  AUDIT_DAYS: integerVariable(1, 36_500, 400),
  /** Maximum age of a cached key, in milliseconds; a revocation is broadcast and takes effect sooner. */
  API_KEY_CACHE_MS: integerVariable(0, 30_000, 30_000),
  /** Requests per second that one key may make at this replica, on average over a window. */
  RATE_LIMIT_PER_SECOND: integerVariable(1, 1_000_000, 1_000),
  /**
   * Webhooks of issue trackers per second that one connector takes at this replica, on average over the same window; one
   * address may send ten times as many, to all connectors together.
   */
  OPEN_RATE_LIMIT_PER_SECOND: integerVariable(1, 1_000_000, 50),
  /** Length of that window, in seconds. */
  RATE_LIMIT_WINDOW_SECONDS: integerVariable(1, 3_600, 10),
  /**
   * Requests in progress beyond which new ones are refused with 503; one project has at most three quarters of them.
   */
  MAX_REQUESTS_IN_FLIGHT: integerVariable(1, 1_000_000, 2_000),
  /**
   * Requests in progress per key at this replica, for each of the classes json, batch, otlp and inference; beyond, 429.
   */
  MAX_CONCURRENT_REQUESTS: integerVariable(1, 100_000, 100),
  /** Same limit for recordings. */
  MAX_CONCURRENT_RECORDINGS: integerVariable(1, 100_000, 16),
  /** Same limit for imports and exports. */
  MAX_CONCURRENT_STREAMS: integerVariable(1, 100_000, 4),
  /** Same limit for event streams, which last for as long as the caller listens. */
  MAX_CONCURRENT_EVENT_STREAMS: integerVariable(1, 100_000, 5),
  /**
   * Listeners to changes at this replica, beyond which new ones are refused with 503; one project has at most three
   * quarters of them. They are not among the requests in progress.
   */
  MAX_CHANGE_LISTENERS: integerVariable(1, 100_000, 1_000),
  /** Limit of open connections. At the limit, a new connection closes one that has sent nothing yet. */
  MAX_CONNECTIONS: integerVariable(10, 1_000_000, 10_000),
  /** Median event loop delay, in two periods of 0.2 s, beyond which new requests are refused with 503. */
  MAX_EVENT_LOOP_LAG_MS: integerVariable(10, 60_000, 1_000),
  /** Maximum body of an ordinary route, in bytes. */
  MAX_JSON_BODY_BYTES: integerVariable(1_024, 64 * MIB, MIB),
  /** Same limit for batches, inference and OTLP. */
  MAX_BATCH_BODY_BYTES: integerVariable(1_024, 1_024 * MIB, 64 * MIB),
  /** Same limit for recordings. */
  MAX_AUDIO_BODY_BYTES: integerVariable(1_024, 16 * 1_024 * MIB, 512 * MIB),
  /** Same limit for imported files. */
  MAX_STREAM_BODY_BYTES: integerVariable(1_024, Number.MAX_SAFE_INTEGER, 16 * 1_024 * MIB),
  /** Time limit for a caller to send the headers, from the start of its connection. */
  HEADERS_TIMEOUT_MS: integerVariable(100, 60_000, 5_000),
  /** Time limit for a caller to send an ordinary body. */
  REQUEST_TIMEOUT_MS: integerVariable(1_000, 3_600_000, 30_000),
  /** Minimum bytes of an imported file or a recording that a caller must send per window; fewer are answered 408. */
  MIN_BODY_BYTES_PER_WINDOW: integerVariable(1, 1_024 * MIB, 64 * 1_024),
  /** Length of that window. Only time in which the service was ready for more data counts. */
  BODY_WINDOW_MS: integerVariable(100, 3_600_000, 30_000),
  /** Silence of a service after which a call of an ordinary route is given up with 504. */
  JSON_UPSTREAM_TIMEOUT_MS: integerVariable(100, 3_600_000, 30_000),
  /** Same limit for batches and OTLP. */
  BATCH_UPSTREAM_TIMEOUT_MS: integerVariable(100, 3_600_000, 120_000),
  /** Same limit for inference: a model that thinks says nothing for minutes, unless its answer is streamed. */
  INFERENCE_UPSTREAM_TIMEOUT_MS: integerVariable(100, 3_600_000, 600_000),
  /** Same limit for imported and exported files. */
  STREAM_UPSTREAM_TIMEOUT_MS: integerVariable(100, 3_600_000, 600_000),
  /** Time limit for a service to accept a connection. */
  UPSTREAM_CONNECT_TIMEOUT_MS: integerVariable(100, 60_000, 3_000),
  /** Consecutive failures after which a service gets no requests (503) for a time; then one request probes it. */
  UPSTREAM_BREAKER_FAILURES: integerVariable(1, 1_000, 5),
  /** Length of that time. */
  UPSTREAM_BREAKER_OPEN_MS: integerVariable(100, 600_000, 1_000),
  /** Age of waiting work beyond which its health signal is bad. */
  SIGNAL_MAX_AGE_MS: integerVariable(1_000, 86_400_000, 300_000),
  /** Same limit for retention runs, which may take hours if much has expired at once. */
  SIGNAL_MAX_RETENTION_AGE_MS: integerVariable(1_000, 30 * 86_400_000, 6 * 3_600_000),
});
export type GatewayConfig = z.infer<typeof GatewayConfig>;
