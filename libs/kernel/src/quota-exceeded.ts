import { AppError, type QuotaRefusal } from './app-error.ts';
import { retryAfterHeader } from './retry-after.ts';

/** Wait that is asked for if nobody knows when a quota opens: until data was removed and measured again. */
const UNKNOWN_MS = 300_000;

/** Error of a quota that refuses a request, with its figures and when it opens. */
export function quotaExceeded(refusal: QuotaRefusal, nowMs: number): AppError {
  const { quota, limit, used, opensAtMs } = refusal;
  const opens =
    opensAtMs === null
      ? 'it opens when data is removed, or with a higher limit'
      : `it opens at ${new Date(opensAtMs).toISOString()}, or with a higher limit`;
  return new AppError('QUOTA_EXCEEDED', `The quota ${quota} of the project is used up: ${used} of ${limit}; ${opens}`, {
    quota: refusal,
    headers: retryAfterHeader(opensAtMs === null ? UNKNOWN_MS : opensAtMs - nowMs),
  });
}
