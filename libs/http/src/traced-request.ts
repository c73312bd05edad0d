import { Agent, request, type Dispatcher } from 'undici';
import { beginSpan } from '@clew/runtime';
import { TRACE_HEADER } from './identity/token.ts';

export interface OutgoingRequest {
  method: Dispatcher.HttpMethod;
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Ends the request, and the reading of its answer. */
  signal: AbortSignal;
}

/** Answer of another service. Its body must be read to the end, or destroyed, so that its connection becomes free. */
export type ServiceAnswer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

// Limits of time are those of the signals.
const AGENT = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/**
 * Calls another service, continuing the trace of the call, if there is one. This is undici's `request`, since `fetch`
 * costs a multiple of its processor time, which counts between services.
 */
export async function tracedRequest(url: URL, outgoing: OutgoingRequest): Promise<ServiceAnswer> {
  const { method } = outgoing;
  const span = beginSpan({
    name: method,
    kind: 'client',
    attributes: { 'http.request.method': method, 'server.address': url.host },
  });
  if (span === undefined) return await send(url, outgoing);
  try {
    const answer = await send(url, { ...outgoing, headers: { ...outgoing.headers, [TRACE_HEADER]: span.traceparent } });
    const { statusCode } = answer;
    span.end({ attributes: { 'http.response.status_code': statusCode }, hasFailed: statusCode >= 500 });
    return answer;
  } catch (error) {
    span.end({ hasFailed: true });
    throw error;
  }
}

async function send(url: URL, outgoing: OutgoingRequest): Promise<ServiceAnswer> {
  const answer = await request(url, { ...outgoing, dispatcher: AGENT });
  // Errors reach the reader; a body that is destroyed unread has none.
  answer.body.on('error', () => undefined);
  return answer;
}

/** Tells whether a service did what it was asked: status 200 to 299. */
export function isSuccess({ statusCode }: ServiceAnswer): boolean {
  return statusCode >= 200 && statusCode < 300;
}
