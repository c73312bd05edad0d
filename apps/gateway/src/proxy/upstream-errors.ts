import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, comeBackLater } from '@clew/kernel';
import { hasBody } from '@clew/http';

/** The upstream was silent for too long. */
export class UpstreamTimeoutError extends Error {}

/** The caller's own doing: Node's parser let it pass, and its client refuses to send it. */
const UNSENDABLE = new Set(['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'ERR_HTTP_INVALID_HEADER_VALUE']);

/** What an error of the proxy engine means for the caller. */
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
 * Whether a request on a kept connection met its end: the upstream closed it at that moment and read nothing. Only what
 * is safe to repeat, in case it did read.
 */
export function wasNotRead(error: Error, request: IncomingMessage, response: ServerResponse): boolean {
  const code = codeOf(error);
  const repeatable = (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
  return repeatable && (code === 'ECONNRESET' || code === 'EPIPE') && !response.headersSent && !response.destroyed;
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException | undefined)?.code ?? '');
}
