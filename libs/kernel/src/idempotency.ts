import { AppError } from './app-error.ts';
import type { Fingerprint } from './fingerprint.ts';

/** An answer as it is given again to a repeat. */
export interface IdempotentReply {
  status: number;
  body: unknown;
  headers: Readonly<Record<string, string>>;
  /** What the body of the request was, where it came as a stream: no fingerprint could tell it beforehand. */
  bodyMark?: string;
}

/** A request that named an `Idempotency-Key`, and that is to take effect once. */
export interface IdempotentRequest {
  /** Who asks, with which method and path. */
  scope: readonly string[];
  key: string;
  /** Of all that the request asks for, as far as it is known when it begins: the same key with another is refused. */
  fingerprint: string;
}

/** The one attempt of several that may take effect. */
export interface IdempotentAttempt {
  /** That of the store, for what comes as a stream. */
  readonly fingerprintOf: Fingerprint;
  /** What an earlier attempt, which came to no end, told last with `advance`. */
  readonly progress?: unknown;
  /**
   * Keeps how far work of several transactions has come, in the transaction (`tx`) of its last step, so that the attempt
   * after this one goes on from there; some megabytes of JSON at most. Throws, and so ends the transaction, when another
   * attempt has taken over.
   */
  advance(tx: object, progress: unknown): Promise<void>;
  /** Goes on holding the key, which else is free for another attempt 20 seconds after this one began. */
  renew(): Promise<void>;
  /**
   * Keeps the answer, in the transaction (`tx`) of the effect that it tells of: both happen or neither does. Throws, and
   * so ends the transaction, when another attempt has taken over meanwhile.
   */
  record(tx: object, reply: IdempotentReply): Promise<void>;
  /** It came to no end: the next attempt may begin at once, from where this one has got to. */
  release(): Promise<void>;
}

export interface IdempotencyStore {
  readonly fingerprintOf: Fingerprint;
  /**
   * Begins an attempt, or gives the answer of an earlier one. Throws IDEMPOTENCY_KEY_IN_FLIGHT while another is under
   * way, IDEMPOTENCY_KEY_REUSED for a key that stands for another request.
   */
  begin(request: IdempotentRequest): Promise<{ attempt: IdempotentAttempt } | { reply: IdempotentReply }>;
}

/**
 * An `Idempotency-Key` header: bare text of 1 to 255 characters of ASCII, or the same as a quoted string
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export const IDEMPOTENCY_KEY_HEADER = /^(?:[!#-~](?:[ -~]{0,253}[!-~])?|"(?:[ !#-\x5b\x5d-~]|\\["\\]){1,255}")$/;

/** The key that an `Idempotency-Key` header names, without quotes. Throws INVALID_IDEMPOTENCY_KEY for anything else. */
export function parseIdempotencyKey(values: readonly string[]): string {
  const [value = ''] = values;
  const text = value.trim();
  if (values.length !== 1 || !IDEMPOTENCY_KEY_HEADER.test(text)) {
    throw new AppError('INVALID_IDEMPOTENCY_KEY', 'Idempotency-Key must have 1 to 255 characters');
  }
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}
