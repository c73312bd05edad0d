import type { ErrorBody } from '@clew/kernel';
import { runningStack } from './stack.ts';

export interface ApiResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface ApiRequest {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON, except bytes and text, which are sent as they are. */
  body?: unknown;
}

/** Calls the gateway with a key; a JSON body of the answer is parsed. */
export async function callApi<Body = ErrorBody>(
  apiKey: string,
  path: string,
  { method, headers = {}, body }: ApiRequest = {},
): Promise<ApiResponse<Body>> {
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(new URL(path, runningStack().gatewayUrl), {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /^application\/json(?:;|$)/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body };
}
