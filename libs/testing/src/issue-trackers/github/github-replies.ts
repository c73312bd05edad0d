import type { CallBudget } from '../board/call-budget.ts';
import type { TrackerReply } from '../board/traffic.ts';

/** Error in the form of GitHub. */
export function failure(status: number, message: string, errors?: readonly object[]): TrackerReply {
  const body = {
    message,
    ...(errors === undefined ? {} : { errors }),
    documentation_url: 'https://docs.github.com/rest',
  };
  return { status, body: { ...body, status: String(status) } };
}

export function invalid(field: string, code: string, message?: string): TrackerReply {
  const error = { resource: 'Issue', field, code, ...(message === undefined ? {} : { message }) };
  return failure(422, 'Validation Failed', [error]);
}

export function budgetHeaders(budget: CallBudget): Record<string, string> {
  return {
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': String(budget.remaining),
    'x-ratelimit-used': String(5_000 - budget.remaining),
    'x-ratelimit-reset': String(Math.ceil(budget.resetMs / 1_000)),
    'x-ratelimit-resource': 'core',
  };
}

/** Limits the rate: the primary limit names its reset, a secondary one a wait, or nothing at all. */
export function limited(as: 'asked' | 'reset' | 'bare', seconds: number, nowMs: number): TrackerReply {
  const resetS = Math.ceil(nowMs / 1_000) + seconds;
  switch (as) {
    case 'asked':
      return {
        ...failure(429, 'You have exceeded a secondary rate limit.'),
        headers: { 'retry-after': String(seconds) },
      };
    case 'reset': {
      const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(resetS) };
      return { ...failure(403, 'API rate limit exceeded for user ID 41.'), headers };
    }
    case 'bare':
      return failure(403, 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.');
  }
}
