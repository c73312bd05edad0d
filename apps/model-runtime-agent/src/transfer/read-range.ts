import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, backoffMs, type BackOff } from '@clew/kernel';
import { abandon, type ByteSource, SourceError } from '@clew/model-runtime';

export interface RetryPolicy extends BackOff {
  /** Maximum number of consecutive attempts without progress. */
  maxAttempts: number;
}

export const RETRY_POLICY: RetryPolicy = { maxAttempts: 6, firstMs: 200, maxMs: 20_000, jitter: 0.5 };

/** Error: the source answered a request for a range with the whole file. */
export class RangesIgnoredError extends Error {
  constructor() {
    super('The source does not answer ranges');
    this.name = 'RangesIgnoredError';
  }
}

export interface RangeRequest {
  source: ByteSource;
  start: number;
  /** Receives exactly the bytes of the range. */
  target: Buffer;
  retry: RetryPolicy;
  signal: AbortSignal;
  onBytes(count: number): void;
}

/** Fills the target; a connection that breaks is resumed at the same position. */
export async function readRange({ source, start, target, retry, signal, onBytes }: RangeRequest): Promise<void> {
  let filled = 0;
  await withRetries(retry, signal, async () => {
    const before = filled;
    try {
      const { ranged, body } = await source.open(start + filled, start + target.length, signal);
      if (!ranged) {
        abandon(body);
        throw new RangesIgnoredError();
      }
      for await (const bytes of body as AsyncIterable<Buffer>) {
        if (filled + bytes.length > target.length) throw new SourceError('The source sent more than the range');
        bytes.copy(target, filled);
        filled += bytes.length;
        onBytes(bytes.length);
      }
    } catch (error) {
      return { progressed: filled > before, error };
    }
    if (filled === target.length) return undefined;
    return { progressed: filled > before, error: new SourceError('The connection ended early') };
  });
}

/** Outcome of an attempt that did not succeed. */
export interface FailedAttempt {
  progressed: boolean;
  error: unknown;
}

/** Repeats an attempt until it succeeds, is not worth repeating, or has made no progress too many times in a row. */
export async function withRetries(
  policy: RetryPolicy,
  signal: AbortSignal,
  attempt: () => Promise<FailedAttempt | undefined>,
): Promise<void> {
  for (let fruitless = 0; ;) {
    const failed = await attempt();
    if (failed === undefined) return;
    signal.throwIfAborted();
    const { progressed, error } = failed;
    if (!isPassing(error)) throw error;
    fruitless = progressed ? 1 : fruitless + 1;
    if (fruitless >= policy.maxAttempts) throw unreachable(error);
    await sleep(delayMs(policy, fruitless, error), undefined, { signal });
  }
}

/** Whether an error may pass: connection errors of the HTTP client, and errors that the source itself declares so. */
function isPassing(error: unknown): boolean {
  if (error instanceof SourceError) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(?:UND_ERR_|ECONN|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|EHOST|ENET)/.test(code);
}

function delayMs(policy: RetryPolicy, fruitless: number, error: unknown): number {
  const askedMs = error instanceof SourceError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(Math.max(askedMs, backoffMs(fruitless, policy)), policy.maxMs);
}

export function unreachable(cause: unknown): AppError {
  const reason = cause instanceof SourceError ? `: ${cause.message}` : '';
  return new AppError('UPSTREAM_UNAVAILABLE', `The source of the artifact cannot be read${reason}`, { cause });
}
