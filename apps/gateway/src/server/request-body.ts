import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@clew/kernel';
import { hasBody } from '@clew/http';

/** How long the rest of a refused body is read and dropped, so that its sender gets to read the answer. */
export const LEFTOVER_MS = 5_000;

/** A declared size is refused before a byte is read; chunks are counted as they pass. */
export function refuseLargeBody(request: IncomingMessage, maxBytes: number): void {
  const declaredBytes = request.headers['content-length'];
  if (declaredBytes !== undefined && Number(declaredBytes) > maxBytes) throw tooLarge(maxBytes);
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}

/** Asks for the body, where the caller waits to be asked. */
export function inviteBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/**
 * Reads and drops, for a while, what is left of the body of a request that has been answered: a socket that is closed
 * with unread bytes is reset, and the answer may be lost with it.
 */
export function dropLeftover(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || socket.destroyed || !hasBody(request)) return;
  request.unpipe();
  request.resume();
  socket.end();
  const timer = setTimeout(() => socket.destroy(), LEFTOVER_MS);
  socket.once('close', () => clearTimeout(timer));
}
