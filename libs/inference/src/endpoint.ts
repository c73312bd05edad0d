import { setTimeout as sleep } from 'node:timers/promises';
import { providerKeyOf, type ModelPurpose, type RouteSpec, type ServiceName } from '@clew/contracts';
import type { IdentitySigner } from '@clew/http';
import { backoffMs } from '@clew/kernel';
import { exchange } from './exchange.ts';
import { InferenceError } from './inference-error.ts';
import { createProviderGate } from './provider-gate.ts';
import type { TokenBudget } from './token-budget.ts';
import { usageOf } from './usage.ts';

export interface EndpointOptions {
  /** Address of model-runtime-svc. */
  baseUrl: string;
  /** Process that calls, in its own name. */
  serviceName: ServiceName;
  sign: IdentitySigner;
  /** Maximum concurrent calls of this process to one provider, for one project; 4 by default. */
  maxConcurrentPerProvider?: number;
  /** Maximum calls per minute of this process to one provider, for one project; no limit by default. */
  maxCallsPerMinutePerProvider?: number;
  /** Time limit of one request; 180,000 by default. */
  timeoutMs?: number;
  /**
   * Maximum concurrent chats of this process with local models; 2 by default, the number that a service answers at
   * once.
   */
  maxConcurrentLocal?: number;
  /**
   * Time limit of a whole call, including waiting, retries and repairs: `callDeadlineMs` of the maximum heartbeat age;
   * 240,000 by default.
   */
  deadlineMs?: number;
  /** Heartbeat interval; 5,000 by default. */
  heartbeatIntervalMs?: number;
  /**
   * Attempts at a call that may work later; 3 by default. Before each failure the endpoint has already retried on its
   * own.
   */
  maxAttempts?: number;
  retryDelayMs?: number;
  /** Maximum size of an answer; 16 MiB by default. */
  maxAnswerBytes?: number;
}

export interface CallOptions {
  projectId: string;
  purpose?: ModelPurpose;
  /** Budget that counts the tokens used, including those of calls that failed in the end. */
  budget?: TokenBudget;
  signal?: AbortSignal;
  /** Heartbeat, called during the call; a consumer's own heartbeat. */
  heartbeat?: () => void;
  requestId?: string;
  /** Same for a repeat of the same work: a provider that supports such keys charges it once. */
  idempotencyKey?: string;
}

/** Calls a route of the endpoint with the signal; throws InferenceError, or the signal's reason. */
export type CallEndpoint = (
  spec: RouteSpec,
  request: { model: string } & Record<string, unknown>,
  call: CallOptions,
  signal: AbortSignal,
) => Promise<unknown>;

const DEFAULT_TIMEOUT_MS = 180_000;
const DEFAULT_MAX_CONCURRENT = 4;
const DEFAULT_MAX_ATTEMPTS = 3;
const DEFAULT_RETRY_DELAY_MS = 1_000;
const DEFAULT_MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Maximum requested delay to wait for; for a longer one the job should be given back. */
const MAX_RETRY_DELAY_MS = 30_000;

export function createCallEndpoint(options: EndpointOptions): CallEndpoint {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES } = options;
  const gate = createProviderGate({
    maxConcurrent: options.maxConcurrentPerProvider ?? DEFAULT_MAX_CONCURRENT,
    maxCallsPerMinute: options.maxCallsPerMinutePerProvider,
    maxWaitMs: MAX_RETRY_DELAY_MS,
  });

  return async (spec, request, call, signal) => {
    const provider = providerKeyOf(call.projectId, request.model);
    const attempt = async () => {
      call.budget?.require();
      const body = await exchange(spec, request, call, { ...options, timeoutMs, maxAnswerBytes }, signal);
      call.budget?.use(usageOf(body));
      return body;
    };
    const pause = ({ retryAfterMs }: InferenceError) => {
      if (retryAfterMs !== undefined) gate.pause(provider, retryAfterMs);
    };
    return await withRetries(() => gate.run(provider, attempt, signal), { ...options, pause, signal });
  };
}

interface RetryOptions extends Pick<EndpointOptions, 'maxAttempts' | 'retryDelayMs'> {
  pause(error: InferenceError): void;
  signal: AbortSignal;
}

async function withRetries<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { maxAttempts = DEFAULT_MAX_ATTEMPTS, retryDelayMs = DEFAULT_RETRY_DELAY_MS, pause, signal } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof InferenceError) || error.code !== 'UNAVAILABLE') throw error;
      pause(error);
      if (attempt >= maxAttempts) throw error;
      const backOff = { firstMs: retryDelayMs, maxMs: MAX_RETRY_DELAY_MS, jitter: 0.25 };
      const delayMs = Math.max(error.retryAfterMs ?? 0, backoffMs(attempt, backOff));
      if (delayMs > MAX_RETRY_DELAY_MS) throw error;
      await sleep(delayMs, undefined, { signal });
    }
  }
}
