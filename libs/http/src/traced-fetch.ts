import { beginSpan } from '@clew/runtime';
import { TRACE_HEADER } from './identity/token.ts';

/** Calls another service with `fetch`, continuing the trace of the call, if there is one. */
export async function tracedFetch(
  url: URL,
  init: RequestInit & { headers: Readonly<Record<string, string>> },
): Promise<Response> {
  const method = init.method ?? 'GET';
  const attributes = { 'http.request.method': method, 'server.address': url.host };
  const span = beginSpan({ name: method, kind: 'client', attributes });
  if (span === undefined) return await fetch(url, init);
  try {
    const response = await fetch(url, { ...init, headers: { ...init.headers, [TRACE_HEADER]: span.traceparent } });
    span.end({ attributes: { 'http.response.status_code': response.status }, hasFailed: response.status >= 500 });
    return response;
  } catch (error) {
    span.end({ hasFailed: true });
    throw error;
  }
}
