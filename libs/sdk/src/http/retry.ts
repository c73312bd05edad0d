import { ApiError, ConnectionError, TimeoutError } from '../errors.ts';

const SHORTEST_MS = 500;
const LONGEST_MS = 8_000;
/** Time beyond which nobody is made to wait: the caller gets the error and its `retryAfterMs`. */
export const LONGEST_RETRY_AFTER_MS = 60_000;
const TEMPORARY: readonly number[] = [408, 429, 502, 503, 504];

/** Facts about a request on which its repetition depends. */
export interface Repetition {
  method: string;
  /** Whether a repeated request takes effect once, since it has an `Idempotency-Key`. */
  isKeyed: boolean;
  /** Whether it changes a thing only if that is still one version. */
  isConditional: boolean;
  /** Whether its body can be sent again. */
  isRepeatable: boolean;
}

/**
 * Tells whether a request that failed so may be sent again. One that may have taken effect is only repeated where a
 * second time changes nothing more. A conditional change is not: its own first effect would make the second fail.
 */
export function mayRepeat(error: unknown, { method, isKeyed, isConditional, isRepeatable }: Repetition): boolean {
  if (!isRepeatable || !isTemporary(error, isKeyed)) return false;
  if (error instanceof ApiError && error.status === 429) return true;
  if (isConditional && method !== 'GET') return false;
  return isKeyed || method !== 'POST';
}

function isTemporary(error: unknown, isKeyed: boolean): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true;
  if (!(error instanceof ApiError)) return false;
  // An earlier attempt of the same call is still under way.
  if (isKeyed && error.code === 'IDEMPOTENCY_KEY_IN_FLIGHT') return true;
  return TEMPORARY.includes(error.status);
}

/** Tells whether a request that failed so may have taken effect all the same. */
export function mayHaveTakenEffect(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status >= 502;
}

/**
 * Returns the time before the next attempt, in milliseconds: what the server asks for, else a random part of a time that
 * doubles (full jitter); undefined if the server asks for more than anybody is made to wait.
 */
export function delayMs(error: unknown, attempt: number, random: () => number = Math.random): number | undefined {
  const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
  const jitter = random() * Math.min(LONGEST_MS, SHORTEST_MS * 2 ** attempt);
  if (asked === undefined) return jitter;
  return asked > LONGEST_RETRY_AFTER_MS ? undefined : Math.max(asked, jitter);
}
