import type { BrowserContext, Request } from 'playwright-core';

/** Way in which an operation fails: with a status, or cut before an answer. */
export type Fault = number | 'cut';

export const FAULTS: readonly Fault[] = [401, 403, 404, 409, 412, 429, 500, 503, 'cut'];

/** Id that a failed answer names, to be quoted by whoever sees it. */
export const FAULT_REQUEST_ID = 'req_fault0000000000000000000000';
export const FAULT_MESSAGE = 'this failure was asked for';
/** Seconds that no client waits, so that it does not try again by itself. */
const LATER = '3600';

/** Makes those requests of all pages of a window fail which the test chooses. */
export async function failRequests(
  context: BrowserContext,
  fault: Fault,
  isFailing: (request: Request) => boolean,
): Promise<void> {
  await context.route(
    () => true,
    async (route) => {
      if (!isFailing(route.request())) return await route.fallback();
      if (fault === 'cut') return await route.abort('connectionreset');
      // A session that has ended is not there for the sign-in page either.
      if (fault === 401) await context.clearCookies();
      await route.fulfill({
        status: fault,
        headers: { 'retry-after': LATER, 'cache-control': 'no-store' },
        json: { error: 'Fault', code: codeOf(fault), message: FAULT_MESSAGE, requestId: FAULT_REQUEST_ID, details: [] },
      });
    },
  );
}

const CODES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
};

function codeOf(status: number): string {
  return CODES[status] ?? 'INTERNAL';
}

/** Name of the operation that a request asks for: its method, and its address without what is asked. */
export function operationOf(request: Request): string | undefined {
  const { pathname } = new URL(request.url());
  if (!pathname.startsWith('/v1/') || /\/events$/.test(pathname)) return undefined;
  return `${request.method()} ${pathname}`;
}
