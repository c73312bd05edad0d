import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, comeBackLater } from '@clew/kernel';
import { hasBody } from '@clew/http';

/** Error: the upstream was silent for too long. */
export class UpstreamTimeoutError extends Error {}

/** Errors caused by the request itself: Node's HTTP parser accepted it, and Node's HTTP client refuses to send it. */
const UNSENDABLE = new Set(['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'ERR_HTTP_INVALID_HEADER_VALUE']);

/** Maps an error of the proxy engine to the error that the caller gets. */
export function meaningOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof UpstreamTimeoutError) {
    return new AppError('UPSTREAM_TIMEOUT', 'The service did not answer in time', { cause: error });
  }
  if (UNSENDABLE.has(codeOf(error))) {
    return new AppError('BAD_REQUEST', 'The request cannot be passed on', { cause: error });
  }
  return comeBackLater('UPSTREAM_UNAVAILABLE', 'The service is not available', 1_000, error);
}

/**
 * Whether a request on a kept connection hit the moment when the upstream closed it and read nothing. True only for
 * requests that are safe to repeat, in case the upstream did read it.
 */
export function wasNotRead(error: Error, request: IncomingMessage, response: ServerResponse): boolean {
  const code = codeOf(error);
  const repeatable = (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
  return repeatable && (code === 'ECONNRESET' || code === 'EPIPE') && !response.headersSent && !response.destroyed;
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
