import { pipeline } from 'node:stream/promises';
import type { ServerResponse } from 'node:http';
import { request, type Dispatcher, type FormData } from 'undici';
import { AppError } from '@clew/kernel';
import type { Endpoint } from '../running-services.ts';

export interface Forwarded {
  endpoint: Endpoint;
  /** Below the base URL. */
  path: string;
  /** A form of undici's own: it does not know the global one. */
  body: string | FormData;
  dispatcher: Dispatcher;
  response: ServerResponse;
  /** Aborted when the caller goes away: then the engine stops too. */
  signal: AbortSignal;
}

/** Sends a request to an engine, and its answer back as it comes: status, media type, bytes. */
export async function forward({ endpoint, path, body, dispatcher, response, signal }: Forwarded): Promise<void> {
  const answer = await request(`${endpoint.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${endpoint.apiKey}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    body,
    dispatcher,
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw unavailable(error);
  });
  const { statusCode, headers } = answer;
  if (statusCode >= 500 || statusCode === 401 || statusCode === 403) {
    await answer.body.dump();
    throw unavailable(new Error(`the engine answered ${statusCode}`));
  }
  response.statusCode = statusCode;
  for (const name of ['content-type', 'content-length'] as const) {
    const value = headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  response.flushHeaders();
  await pipeline(answer.body, response).catch((error: unknown) => {
    // The status is gone: a connection that breaks off is what tells the caller.
    response.destroy();
    if (!signal.aborted) throw unavailable(error);
  });
}

function unavailable(cause: unknown): AppError {
  return new AppError('UPSTREAM_UNAVAILABLE', 'The service of the model does not answer', {
    cause,
    headers: { 'retry-after': '1' },
  });
}
