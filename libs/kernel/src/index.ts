export {
  AppError,
  methodNotAllowed,
  notFound,
  type AppErrorOptions,
  type ErrorDetail,
  type QuotaRefusal,
} from './app-error.ts';
export { allMatches } from './all-matches.ts';
export { backoffMs, type BackOff } from './back-off.ts';
export { canonicalJson, sha256Hex } from './canonical-json.ts';
export { systemClock, type Clock } from './clock.ts';
export { hasControlCharacter } from './control-characters.ts';
export { createCursorCodec, type CursorCodec, type CursorKey, type CursorScope } from './cursor.ts';
export { errorBody, toAppError, type ErrorBody } from './error-body.ts';
export { quotaExceeded } from './quota-exceeded.ts';
export { ERROR_STATUS, type ErrorCode, type ErrorStatus } from './error-codes.ts';
export {
  DERIVED_ID_PREFIXES,
  derivedId,
  idPattern,
  newId,
  RANDOM_ID_PREFIXES,
  type DerivedIdPrefix,
  type RandomIdPrefix,
} from './ids.ts';
export { createFairLimiter, type FairLimiter, type FairLimiterOptions } from './fair-limiter.ts';
export { inParts } from './in-parts.ts';
export { decodeStrictly, isUtf16, LineCutter, type Line } from './line-cutter.ts';
export { describeError } from './describe-error.ts';
export { endOfString, measureJson, type JsonMeasure } from './measure-json.ts';
export {
  IDEMPOTENCY_KEY_HEADER,
  parseIdempotencyKey,
  type IdempotencyStore,
  type IdempotentAttempt,
  type IdempotentReply,
  type IdempotentRequest,
} from './idempotency.ts';
export { createKeyedLimiter, createLimiter, type KeyedLimiter, type Leave, type Limiter } from './limiter.ts';
export { isAscii, normalised } from './normalised.ts';
export {
  mergeOrdered,
  page,
  takeSlice,
  type ListDefinition,
  type PageQuery,
  type PageRequest,
  type Slice,
  type SliceLimits,
  type SliceRequest,
  type Walk,
} from './page.ts';
export { comeBackLater, overloaded, retryAfterHeader, retryAfterMs } from './retry-after.ts';
export { readJson } from './read-json.ts';
export { createSharedBudget, type Holding, type SharedBudget, type SharedBudgetOptions } from './shared-budget.ts';
export { excessOf, MAX_JSON_DEPTH, parseStrictly, type JsonLimits, type StrictJson } from './strict-json.ts';
export { createFingerprint, mayBeSameRequest, secretOfFingerprint, type Fingerprint } from './fingerprint.ts';
export { type AgentKeys, deriveAgentKeys } from './agent-keys.ts';
export { placeOf } from './place-of.ts';
export { withoutTrailing } from './without-trailing.ts';
export { deriveSecret, MIN_AUTH_SECRET_BYTES, type SecretLabel } from './secrets.ts';
export { dayOf, nextDayMs } from './utc-day.ts';
