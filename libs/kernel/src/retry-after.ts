import { AppError } from './app-error.ts';
import type { ErrorCode } from './error-codes.ts';

/** Date formats of RFC 9110: the current one, and two older ones that must still be understood. */
const HTTP_DATES: readonly RegExp[] = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];
/** Fractions of a second are not in the standard, but some servers send them. */
const SECONDS = /^\d{1,9}(?:\.\d{1,9})?$/;

/**
 * Parses a `Retry-After`: the wait in milliseconds, from seconds or a date. Undefined for anything else, and never
 * negative.
 */
export function retryAfterMs(value: string | null | undefined, nowMs: number): number | undefined {
  const text = value?.trim() ?? '';
  if (SECONDS.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATES.some((form) => form.test(text))) return undefined;
  const atMs = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** Header that asks to wait this long: in whole seconds, rounded up, at least 1. */
export function retryAfterHeader(ms: number): { readonly 'retry-after': string } {
  return { 'retry-after': String(Math.max(1, Math.ceil(ms / 1_000))) };
}

/** Error that asks the caller to come back after that time. `cause` is for the log. */
export function comeBackLater(code: ErrorCode, message: string, afterMs: number, cause?: unknown): AppError {
  return new AppError(code, message, {
    headers: retryAfterHeader(afterMs),
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Error for too much work at the moment, with the time in seconds. */
export function overloaded(message: string, retryAfterSeconds: number): AppError {
  return comeBackLater('OVERLOADED', message, retryAfterSeconds * 1_000);
}
