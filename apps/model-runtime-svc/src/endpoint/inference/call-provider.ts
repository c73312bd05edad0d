import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { request, type Dispatcher, type FormData } from 'undici';
import { backoffMs, retryAfterMs, type BackOff } from '@clew/kernel';
import { histogramOf, type MetricsRegistry } from '@clew/runtime';
import type { ModelEndpoint } from '../providers/endpoints.ts';
import { errorOfAnswer, errorOfFailure } from './provider-errors.ts';

export interface ProviderCall {
  endpoint: ModelEndpoint;
  /** Path below the base URL, for example `/chat/completions`. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Body, which is sent again unchanged on a retry. */
  body: string | Buffer | FormData;
  signal: AbortSignal;
}

export interface ProviderAnswer {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}

export interface CallProviderOptions {
  /** Dispatcher for addresses chosen by callers. */
  outbound: Dispatcher;
  /** Dispatcher for services of this deployment. */
  local: Dispatcher;
  metrics: MetricsRegistry;
  firstRetryDelayMs?: number;
}

/** Resolves with an answer of status 200 to 299 whose body has not been read yet; throws an AppError. */
export type CallProvider = (call: ProviderCall) => Promise<ProviderAnswer>;

const MAX_ATTEMPTS = 3;
const FIRST_RETRY_DELAY_MS = 250;
/** Maximum delay of a retry. An answer that asks for a longer one is passed on, with `Retry-After`. */
const MAX_RETRY_DELAY_MS = 8_000;
const MAX_ERROR_BYTES = 64 * 1024;
const RETRIED_STATUS = new Set([429, 500, 502, 503, 504, 529]);
/** Errors of connections that failed before an answer began: mostly a kept connection that the other end had closed. */
const RETRIED_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT']);

/** Calls providers; retries with growing pauses as long as nothing of an answer has been passed on. */
export function createCallProvider(options: CallProviderOptions): CallProvider {
  const firstMs = options.firstRetryDelayMs ?? FIRST_RETRY_DELAY_MS;
  const backOff: BackOff = { firstMs, maxMs: MAX_RETRY_DELAY_MS, jitter: 0.5 };
  const durations = histogramOf(options.metrics, 'clew_provider_request_duration_seconds');
  const observed = async (call: ProviderCall) => {
    const where = call.endpoint.isLocal ? 'local' : 'outside';
    const startedAt = performance.now();
    const observe = (outcome: ProviderOutcome) =>
      durations.observe({ where, outcome }, (performance.now() - startedAt) / 1000);
    try {
      const outcome = await attemptOnce(call, options);
      observe('body' in outcome ? 'ok' : outcome.kind);
      return outcome;
    } catch (error) {
      observe('cancelled');
      throw error;
    }
  };
  return async (call) => {
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await observed(call);
      if ('body' in outcome) return outcome;
      const delayMs = outcome.retryAfterMs ?? backoffMs(attempt, backOff);
      if (!outcome.mayRetry || attempt === MAX_ATTEMPTS || delayMs > MAX_RETRY_DELAY_MS) throw outcome.error;
      await sleep(delayMs, undefined, { signal: call.signal });
    }
  };
}

/** Outcome of a call; `limited` was answered 429, `refused` with another status that is the caller's fault. */
type ProviderOutcome = 'ok' | 'cancelled' | Failure['kind'];

interface Failure {
  kind: 'limited' | 'refused' | 'failed';
  error: Error;
  mayRetry: boolean;
  retryAfterMs: number | undefined;
}

async function attemptOnce(
  call: ProviderCall,
  { outbound, local }: CallProviderOptions,
): Promise<ProviderAnswer | Failure> {
  const { endpoint, signal } = call;
  try {
    const { statusCode, headers, body } = await request(`${endpoint.baseUrl}${call.path}`, {
      method: 'POST',
      headers: { ...call.headers, ...endpoint.headers },
      body: call.body,
      dispatcher: endpoint.isLocal ? local : outbound,
      signal,
    });
    if (statusCode >= 200 && statusCode < 300) return { headers, body };
    const text = await boundedText(body);
    const retryAfter = headers['retry-after'];
    const retryAfterText = typeof retryAfter === 'string' ? retryAfter : undefined;
    return {
      kind: kindOf(statusCode),
      error: errorOfAnswer(statusCode, text, retryAfterText),
      mayRetry: RETRIED_STATUS.has(statusCode),
      retryAfterMs: retryAfterMs(retryAfterText, Date.now()),
    };
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as { code?: string };
    const mayRetry = code !== undefined && RETRIED_CODES.has(code);
    return { kind: 'failed', error: errorOfFailure(error), mayRetry, retryAfterMs: undefined };
  }
}

function kindOf(statusCode: number): Failure['kind'] {
  if (statusCode === 429) return 'limited';
  return statusCode >= 400 && statusCode < 500 ? 'refused' : 'failed';
}

async function boundedText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_ERROR_BYTES) break;
  }
  return Buffer.concat(chunks).toString();
}
