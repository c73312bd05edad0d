import { setTimeout as sleep } from 'node:timers/promises';
import { MODEL_PURPOSE_HEADER, type ModelPurpose, type RouteSpec, type ServiceName } from '@clew/contracts';
import { IDENTITY_HEADER, type IdentitySigner } from '@clew/http';
import { backoffMs, createKeyedLimiter } from '@clew/kernel';
import { errorOfAnswer, InferenceError } from './inference-error.ts';
import type { TokenBudget } from './token-budget.ts';

export interface EndpointOptions {
  /** Of model-runtime-svc. */
  baseUrl: string;
  /** The process that calls, in its own name. */
  serviceName: ServiceName;
  sign: IdentitySigner;
  /** Calls that one provider gets at a time from this process; 4 by default. */
  maxConcurrentPerProvider?: number;
  timeoutMs?: number;
  /** Attempts at a call that may work later; 3 by default. The endpoint has tried on its own before. */
  maxAttempts?: number;
  retryDelayMs?: number;
}

export interface CallOptions {
  projectId: string;
  purpose?: ModelPurpose;
  budget?: TokenBudget;
  signal?: AbortSignal;
}

/** Calls a route of the endpoint; throws InferenceError, or the signal's reason. */
export type CallEndpoint = (
  spec: RouteSpec,
  request: { model: string } & Record<string, unknown>,
  options: CallOptions,
) => Promise<unknown>;

const DEFAULT_TIMEOUT_MS = 180_000;
const DEFAULT_MAX_CONCURRENT = 4;
const DEFAULT_MAX_ATTEMPTS = 3;
const DEFAULT_RETRY_DELAY_MS = 1_000;
/** Whoever is asked to wait for longer had better give the job back. */
const MAX_RETRY_DELAY_MS = 30_000;

export function createCallEndpoint(options: EndpointOptions): CallEndpoint {
  const limiter = createKeyedLimiter(options.maxConcurrentPerProvider ?? DEFAULT_MAX_CONCURRENT);
  return async (spec, request, call) => {
    const provider = `${call.projectId}:${request.model.slice(0, request.model.indexOf('/'))}`;
    const attempt = () => limiter.run(provider, () => callOnce(spec, request, call, options), call.signal);
    return await withRetries(attempt, options, call.signal);
  };
}

async function withRetries<T>(work: () => Promise<T>, options: EndpointOptions, signal?: AbortSignal): Promise<T> {
  const { maxAttempts = DEFAULT_MAX_ATTEMPTS, retryDelayMs = DEFAULT_RETRY_DELAY_MS } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof InferenceError) || error.code !== 'UNAVAILABLE' || attempt >= maxAttempts) throw error;
      const backOff = { firstMs: retryDelayMs, maxMs: MAX_RETRY_DELAY_MS, jitter: 0.25 };
      const delayMs = Math.max(error.retryAfterMs ?? 0, backoffMs(attempt, backOff));
      if (delayMs > MAX_RETRY_DELAY_MS) throw error;
      await sleep(delayMs, undefined, { ...(signal === undefined ? {} : { signal }) });
    }
  }
}

async function callOnce(
  spec: RouteSpec,
  request: object,
  { projectId, purpose, budget, signal }: CallOptions,
  { baseUrl, serviceName, sign, timeoutMs = DEFAULT_TIMEOUT_MS }: EndpointOptions,
): Promise<unknown> {
  budget?.require();
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(new URL(spec.path.replace(':projectId', projectId), baseUrl), {
    method: spec.method.toUpperCase(),
    headers: {
      [IDENTITY_HEADER]: sign(serviceName, { principal: { kind: 'service', id: serviceName } }),
      'content-type': 'application/json',
      ...(purpose === undefined ? {} : { [MODEL_PURPOSE_HEADER]: purpose }),
    },
    body: JSON.stringify(request),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new InferenceError('UNAVAILABLE', 'The endpoint cannot be reached', { cause: error });
  });
  const body: unknown = await response.json().catch((error: unknown) => {
    signal?.throwIfAborted();
    throw new InferenceError('UNAVAILABLE', 'The answer of the endpoint broke off', { cause: error });
  });
  if (!response.ok) throw errorOfAnswer(response.status, body, response.headers.get('retry-after'));
  budget?.use(tokensOf(body));
  return body;
}

function tokensOf(body: unknown): number {
  const { usage } = (body ?? {}) as { usage?: { total_tokens?: unknown } };
  return typeof usage?.total_tokens === 'number' ? usage.total_tokens : 0;
}
