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
  /** Of model-runtime-svc. */
  baseUrl: string;
  /** The process that calls, in its own name. */
  serviceName: ServiceName;
  sign: IdentitySigner;
  /** Calls that one provider gets at a time from this process, for one project; 4 by default. */
  maxConcurrentPerProvider?: number;
  /** Calls that one provider gets a minute from this process, for one project; no limit by default. */
  maxCallsPerMinutePerProvider?: number;
  /** Of one request; 180,000 by default. */
  timeoutMs?: number;
  /** Chats with local models that this process has under way at a time; 2 by default, as many as a service answers at once. */
  maxConcurrentLocal?: number;
  /**
   * Of a whole call, waiting, repeats and repairs included: `callDeadlineMs` of the age at which the process is taken for
   * stuck; 240,000 by default.
   */
  deadlineMs?: number;
  /** 5,000 by default. */
  beatIntervalMs?: number;
  /** Attempts at a call that may work later; 3 by default. The endpoint has tried on its own before. */
  maxAttempts?: number;
  retryDelayMs?: number;
  /** 16 MiB by default. */
  maxAnswerBytes?: number;
}

export interface CallOptions {
  projectId: string;
  purpose?: ModelPurpose;
  /** Counts what is used, also by calls that failed in the end. */
  budget?: TokenBudget;
  signal?: AbortSignal;
  /** Called while the call goes on; a consumer's own beat. */
  beat?: () => void;
  requestId?: string;
  /** The same for a repeat of the same work: a provider that knows such keys charges it once. */
  idempotencyKey?: string;
}

/** Calls a route of the endpoint under the signal; throws InferenceError, or the signal's reason. */
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
/** Whoever is asked to wait for longer had better give the job back. */
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
