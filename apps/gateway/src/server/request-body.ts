import type { IncomingMessage, ServerResponse } from 'node:http';
import { destroyLater, hasBody } from '@clew/http';
import { tooLarge } from '../too-large.ts';

/** A declared size is refused before a byte is read; chunks are counted as they pass. */
export function refuseLargeBody(request: IncomingMessage, maxBytes: number): void {
  const declaredBytes = request.headers['content-length'];
  if (declaredBytes !== undefined && Number(declaredBytes) > maxBytes) throw tooLarge(maxBytes);
}

/** Asks for the body, where the caller waits to be asked. */
export function inviteBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
}

/** Reads and drops what is left of the body of a request that has been answered, for a while. */
export function dropLeftover(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || socket.destroyed || !hasBody(request)) return;
  request.unpipe();
  request.resume();
  const keep = destroyLater(socket);
  request.once('end', keep);
}
