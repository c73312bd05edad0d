import { AppError } from './app-error.ts';

/** An answer as it is given again to a repeat. */
export interface IdempotentReply {
  status: number;
  body: unknown;
  headers: Readonly<Record<string, string>>;
}

/** A request that named an `Idempotency-Key`, and that is to take effect once. */
export interface IdempotentRequest {
  /** Who asks, with which method and path. */
  scope: readonly string[];
  key: string;
  /** Of all that the request asks for: the same key with another one is refused. */
  fingerprint: string;
}

/** The one attempt of several that may take effect. */
export interface IdempotentAttempt {
  /**
   * Keeps the answer, in the transaction (`tx`) of the effect that it tells of: both happen or neither does. Throws, and
   * so ends the transaction, when another attempt has taken over meanwhile.
   */
  record(tx: object, reply: IdempotentReply): Promise<void>;
  /** Nothing came of it: the next attempt may begin at once. */
  release(): Promise<void>;
}

export interface IdempotencyStore {
  /**
   * Begins an attempt, or gives the answer of an earlier one. Throws IDEMPOTENCY_KEY_IN_FLIGHT while another is under
   * way, IDEMPOTENCY_KEY_REUSED for a key that stands for another request.
   */
  begin(request: IdempotentRequest): Promise<{ attempt: IdempotentAttempt } | { reply: IdempotentReply }>;
}

const MAX_KEY_LENGTH = 255;
const VISIBLE_ASCII = /^[\x20-\x7e]+$/;
const QUOTED = /^"(?:[^"\\]|\\["\\])*"$/;

/**
 * The key that an `Idempotency-Key` header names: a quoted string (draft-ietf-httpapi-idempotency-key-header) or bare
 * text of 1 to 255 visible characters. Throws INVALID_IDEMPOTENCY_KEY for anything else.
 */
export function parseIdempotencyKey(values: readonly string[]): string {
  const [value = ''] = values;
  const text = value.trim();
  const key = text.startsWith('"') && QUOTED.test(text) ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
  const isQuotedBadly = text.startsWith('"') && !QUOTED.test(text);
  if (values.length !== 1 || isQuotedBadly || key.length > MAX_KEY_LENGTH || !VISIBLE_ASCII.test(key)) {
    throw new AppError('INVALID_IDEMPOTENCY_KEY', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters`);
  }
  return key;
}
