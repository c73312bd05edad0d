import { setTimeout as sleep } from 'node:timers/promises';
import { TaskFailure } from '../reconcile/index.ts';
import type { Probe } from '../drivers/index.ts';

export interface ReadinessOptions {
  baseUrl: string;
  apiKey: string;
  probe: Probe;
  timeoutMs: number;
  signal: AbortSignal;
}

const POLL_MS = 100;
const HEALTH_TIMEOUT_MS = 2_000;

/**
 * Resolves when the engine reports that it is healthy and has answered the probe. Rejects after the time limit, and if
 * the probe is refused, since that will not change by itself.
 */
export async function untilReady(options: ReadinessOptions): Promise<void> {
  const { baseUrl, timeoutMs, signal } = options;
  const deadlineMs = Date.now() + timeoutMs;
  while (!(await isHealthy(baseUrl, signal))) {
    signal.throwIfAborted();
    if (Date.now() > deadlineMs)
      throw new TaskFailure('ENGINE_START_TIMEOUT', `The engine was not ready within ${timeoutMs / 1000} s`);
    await sleep(POLL_MS, undefined, { signal });
  }
  await probe(options, Math.max(1_000, deadlineMs - Date.now()));
}

async function isHealthy(baseUrl: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${baseUrl}/health`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(HEALTH_TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function probe(
  { baseUrl, apiKey, probe: { path, body }, signal }: ReadinessOptions,
  timeoutMs: number,
): Promise<void> {
  const content = body();
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(typeof content === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    body: content,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new TaskFailure(
      'ENGINE_PROBE_FAILED',
      `The engine answered its first request with ${response.status}: ${text.slice(0, 300)}`,
    );
  }
}
