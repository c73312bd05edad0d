import { AppError } from './app-error.ts';
import type { Fingerprint } from './fingerprint.ts';

/** Reply that is stored for repeats of a request. */
export interface IdempotentReply {
  status: number;
  body: unknown;
  headers: Readonly<Record<string, string>>;
  /** Mark of the request's body if it came as a stream, which has no fingerprint at the beginning. */
  bodyMark?: string;
}

/** Request with an `Idempotency-Key`, which is to take effect once. */
export interface IdempotentRequest {
  /** Caller, method and path. */
  scope: readonly string[];
  key: string;
  /**
   * Fingerprint of the request as far as it is known at the beginning: the same key with another fingerprint is
   * rejected.
   */
  fingerprint: string;
}

/** Attempt to process a request; of several attempts only one may take effect. */
export interface IdempotentAttempt {
  /** Fingerprint function of the store, for bodies that come as a stream. */
  readonly fingerprintOf: Fingerprint;
  /** Progress that an earlier unfinished attempt last recorded with `advance`. */
  readonly progress?: unknown;
  /**
   * Records the progress of work in several transactions, in the transaction (`tx`) of its last step, so that the next
   * attempt continues from there; a few megabytes of JSON at most. Throws, and so aborts the transaction, if another
   * attempt has taken over.
   */
  advance(tx: object, progress: unknown): Promise<void>;
  /** Extends the hold on the key, which otherwise is free for another attempt 20 seconds after this one began. */
  renew(): Promise<void>;
  /**
   * Records the reply in the transaction (`tx`) of its effect: both happen or neither does. Throws, and so aborts the
   * transaction, if another attempt has taken over meanwhile.
   */
  record(tx: object, reply: IdempotentReply): Promise<void>;
  /** Ends the attempt without a result: the next one may begin at once and continues from the recorded progress. */
  release(): Promise<void>;
}

export interface IdempotencyStore {
  readonly fingerprintOf: Fingerprint;
  /**
   * Begins an attempt, or returns the reply of an earlier one. Throws IDEMPOTENCY_KEY_IN_FLIGHT while another is under
   * way, and IDEMPOTENCY_KEY_REUSED for a key that belongs to another request.
   */
  begin(request: IdempotentRequest): Promise<{ attempt: IdempotentAttempt } | { reply: IdempotentReply }>;
}

/**
 * Pattern of an `Idempotency-Key` header: bare text of 1 to 255 ASCII characters, or the same as a quoted string
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export const IDEMPOTENCY_KEY_HEADER = /^(?:[!#-~](?:[ -~]{0,253}[!-~])?|"(?:[ !#-\x5b\x5d-~]|\\["\\]){1,255}")$/;

/** Returns the key in an `Idempotency-Key` header, without quotes. Throws INVALID_IDEMPOTENCY_KEY for anything else. */
export function parseIdempotencyKey(values: readonly string[]): string {
  const [value = ''] = values;
  const text = value.trim();
  if (values.length !== 1 || !IDEMPOTENCY_KEY_HEADER.test(text)) {
    throw new AppError('INVALID_IDEMPOTENCY_KEY', 'Idempotency-Key must have 1 to 255 characters');
  }
  return text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}
