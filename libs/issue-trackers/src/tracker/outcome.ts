/** Result of a call to an issue tracker. A call never rejects because of the provider. */
export type Outcome<Value> = Done<Value> | Refused | Later | Unknown;

export interface Done<Value> {
  kind: 'done';
  value: Value;
}

/** Subject of a refusal: somebody must change it before the same call can succeed. */
export type RefusalReason =
  /** The provider does not accept the credentials. */
  | 'credentials'
  /** The credentials are not allowed to do this. */
  | 'permission'
  /** The destination is missing, hidden from these credentials, moved, or takes no issues. */
  | 'destination'
  /** The provider rejects the request as it is. */
  | 'content'
  /** The issue was deleted, or moved out of reach. */
  | 'gone'
  /** The workflow has no way to the wanted state. */
  | 'state'
  /** The base URL may not be called, or is not the API of this provider. */
  | 'address';

/** The call had no effect, and would be refused again. The message is for people and contains no secret. */
export interface Refused {
  kind: 'refused';
  reason: RefusalReason;
  message: string;
}

/** The call had no effect, and may succeed later. */
export interface Later {
  kind: 'later';
  reason: 'rate_limited' | 'unavailable';
  message: string;
  /** Wait before the next call to this provider with these credentials; null if the provider did not say. */
  retryAfterMs: number | null;
  /** True if the wait is only a minimum: it should grow from one failure to the next. */
  isMinimum: boolean;
}

/**
 * The call may have had its effect: the connection broke after it was sent, or the answer cannot be understood. It must
 * not be repeated before its effect was looked for.
 */
export interface Unknown {
  kind: 'unknown';
  message: string;
}

export function done<Value>(value: Value): Done<Value> {
  return { kind: 'done', value };
}

export function refused(reason: RefusalReason, message: string): Refused {
  return { kind: 'refused', reason, message };
}

export function unavailable(message: string): Later {
  return { kind: 'later', reason: 'unavailable', message, retryAfterMs: null, isMinimum: true };
}

export function unknown(message: string): Unknown {
  return { kind: 'unknown', message };
}

/** Applies a function to the value of a call that is done; any other outcome stays. */
export function mapDone<From, To>(outcome: Outcome<From>, change: (value: From) => To): Outcome<To> {
  return outcome.kind === 'done' ? done(change(outcome.value)) : outcome;
}
