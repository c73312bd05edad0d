import { pipeline } from 'node:stream/promises';
import type { ServerResponse } from 'node:http';
import { request, type Dispatcher, type FormData } from 'undici';
import { AppError, comeBackLater } from '@clew/kernel';
import type { Endpoint } from '../running-services.ts';

export interface Forwarded {
  endpoint: Endpoint;
  /** Path below the base URL. */
  path: string;
  /** Body; a form must be of undici's own class, since undici does not accept the global one. */
  body: string | FormData;
  dispatcher: Dispatcher;
  response: ServerResponse;
  /** Aborted when the caller goes away: then the engine stops too. */
  signal: AbortSignal;
}

const PASSED_HEADERS = ['content-type', 'content-length', 'content-encoding', 'retry-after'] as const;
/**
 * Status of a refused key. The key is between the engine and us, so another process has taken over the address; the
 * caller's key is not at fault.
 */
const FOREIGN_KEY = 401;
const TIMEOUT_CODE = 'UND_ERR_HEADERS_TIMEOUT';

/** Sends a request to an engine, and relays its answer as it arrives, errors included: status, media type and bytes. */
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
  if (statusCode === FOREIGN_KEY) {
    await answer.body.dump();
    throw unavailable(new Error('what answers at the address of the engine has another key'));
  }
  response.statusCode = statusCode;
  for (const name of PASSED_HEADERS) {
    const value = headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  response.flushHeaders();
  await pipeline(answer.body, response).catch((error: unknown) => {
    // The status has been sent, so only a broken connection can tell the caller.
    response.destroy();
    if (!signal.aborted) throw unavailable(error);
  });
}

function unavailable(cause: unknown): AppError {
  if ((cause as { code?: unknown } | null)?.code === TIMEOUT_CODE) {
    return new AppError('UPSTREAM_TIMEOUT', 'The service of the model did not answer in time', { cause });
  }
  return comeBackLater('UPSTREAM_UNAVAILABLE', 'The service of the model does not answer', 1_000, cause);
}
