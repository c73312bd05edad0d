import { join } from 'node:path';
import { z } from 'zod';
import { CALLED_SERVICES } from '@clew/contracts';
import { addressVariables, databaseVariables } from '@clew/host';
import {
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
  /** The port of `/metrics`, `/healthz` and `/readyz` for operators; callers at the other port are told no metrics. */
  OPERATIONS_PORT: integerVariable(0, 65_535, 9_080),
  /** Where the services are. */
  ...addressVariables(...CALLED_SERVICES),
  /** What `/openapi.json` and `/docs` show. */
  OPENAPI_FILE: z.string().default(join(import.meta.dirname, '../../../docs/openapi/v1.json')),
  /** The word in a key that tells where it belongs: `clew_<this>_...`. */
  API_KEY_ENVIRONMENT: z
    .string()
    .regex(/^[a-z]{2,10}$/)
    .default('live'),
  /** What is removed of a deleted project is looked for a second time after so long: what was under way then has ended. */
  ERASURE_SETTLE_MS: integerVariable(0, 3_600_000, 120_000),
  /** How long a gateway may trust what it knows of a key; a revocation is broadcast and does not wait for it. */
  API_KEY_CACHE_MS: integerVariable(0, 30_000, 30_000),
  /** Requests per second that one key may make at this replica, on average over a window. */
  RATE_LIMIT_PER_SECOND: integerVariable(1, 1_000_000, 1_000),
  /** How long such a window is. */
  RATE_LIMIT_WINDOW_SECONDS: integerVariable(1, 3_600, 10),
  /** Requests under way before new ones are shed with 503; one project has at most three quarters of them. */
  MAX_REQUESTS_IN_FLIGHT: integerVariable(1, 1_000_000, 2_000),
  /** Requests of one key under way at this replica, for each of the classes json, batch, otlp and inference; then 429. */
  MAX_CONCURRENT_REQUESTS: integerVariable(1, 100_000, 100),
  /** The same of recordings. */
  MAX_CONCURRENT_RECORDINGS: integerVariable(1, 100_000, 16),
  /** The same of imports and exports. */
  MAX_CONCURRENT_STREAMS: integerVariable(1, 100_000, 4),
  /** The same of answers that go on as events for as long as the caller listens. */
  MAX_CONCURRENT_EVENT_STREAMS: integerVariable(1, 100_000, 5),
  /** Connections that are open at a time; beyond, one that has sent nothing yet is closed for each that is new. */
  MAX_CONNECTIONS: integerVariable(10, 1_000_000, 10_000),
  /** Median delay of the event loop beyond which new requests are shed with 503. */
  MAX_EVENT_LOOP_LAG_MS: integerVariable(10, 60_000, 1_000),
  /** The largest body of an ordinary route, in bytes. */
  MAX_JSON_BODY_BYTES: integerVariable(1_024, 64 * MIB, MIB),
  /** The same of batches, inference and OTLP. */
  MAX_BATCH_BODY_BYTES: integerVariable(1_024, 1_024 * MIB, 64 * MIB),
  /** The same of recordings. */
  MAX_AUDIO_BODY_BYTES: integerVariable(1_024, 16 * 1_024 * MIB, 512 * MIB),
  /** The same of imported files. */
  MAX_STREAM_BODY_BYTES: integerVariable(1_024, Number.MAX_SAFE_INTEGER, 16 * 1_024 * MIB),
  /** How long a caller may take to send the headers, from the beginning of its connection. */
  HEADERS_TIMEOUT_MS: integerVariable(100, 60_000, 5_000),
  /** How long a caller may take to send an ordinary body. */
  REQUEST_TIMEOUT_MS: integerVariable(1_000, 3_600_000, 30_000),
  /** Bytes of an imported file or a recording that a caller sends in a window, at the least; else 408. */
  MIN_BODY_BYTES_PER_WINDOW: integerVariable(1, 1_024 * MIB, 64 * 1_024),
  /** How long such a window is, of time in which the service took all that had come. */
  BODY_WINDOW_MS: integerVariable(100, 3_600_000, 30_000),
  /** Silence of a service after which a call of an ordinary route is given up with 504. */
  JSON_UPSTREAM_TIMEOUT_MS: integerVariable(100, 3_600_000, 30_000),
  /** The same of batches and OTLP. */
  BATCH_UPSTREAM_TIMEOUT_MS: integerVariable(100, 3_600_000, 120_000),
  /** The same of inference: a model that thinks says nothing for minutes, where its answer is not streamed. */
  INFERENCE_UPSTREAM_TIMEOUT_MS: integerVariable(100, 3_600_000, 600_000),
  /** The same of imported and exported files. */
  STREAM_UPSTREAM_TIMEOUT_MS: integerVariable(100, 3_600_000, 600_000),
  /** Time for a service to accept a connection. */
  UPSTREAM_CONNECT_TIMEOUT_MS: integerVariable(100, 60_000, 3_000),
  /** After so many failures in a row a service is left alone (503) for a time, then tried by one request. */
  UPSTREAM_BREAKER_FAILURES: integerVariable(1, 1_000, 5),
  /** How long it is left alone. */
  UPSTREAM_BREAKER_OPEN_MS: integerVariable(100, 600_000, 1_000),
  /** What waits for longer makes its health signal bad. */
  SIGNAL_MAX_AGE_MS: integerVariable(1_000, 86_400_000, 300_000),
  /** The same of runs of retention, which may take hours where much has expired at once. */
  SIGNAL_MAX_RETENTION_AGE_MS: integerVariable(1_000, 30 * 86_400_000, 6 * 3_600_000),
});
export type GatewayConfig = z.infer<typeof GatewayConfig>;
