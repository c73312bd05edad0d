import type { IncomingMessage, ServerResponse } from 'node:http';
import { destroyLater, hasBody } from '@clew/http';
import { tooLarge } from '../too-large.ts';

/** Refuses a declared size before a byte is read; bodies in chunks are counted as they pass. */
export function refuseLargeBody(request: IncomingMessage, maxBytes: number): void {
  const declaredBytes = request.headers['content-length'];
  if (declaredBytes !== undefined && Number(declaredBytes) > maxBytes) throw tooLarge(maxBytes);
}

/** Asks for the body if the caller waits for `100 Continue`. */
export function inviteBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/** Reads and drops, for a while, the rest of the body of a request that has been answered. */
export function dropLeftover(request: IncomingMessage, leftoverMs?: number): void {
  const { socket } = request;
  if (request.complete || socket.destroyed || !hasBody(request)) return;
  request.unpipe();
  request.resume();
  const keep = destroyLater(socket, leftoverMs);
  request.once('end', keep);
}
