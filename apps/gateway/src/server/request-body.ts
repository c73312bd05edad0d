import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError } from '@clew/kernel';
import { hasBody } from '@clew/http';

/** How long the rest of a refused body is read and dropped, so that its sender gets to read the answer. */
const LEFTOVER_MS = 5_000;

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
 * To be called before an answer that may come ahead of the whole body. Where the connection is not to be kept, Node
 * destroys the socket right after the answer; bytes that are still under way would then reset it, and the answer may be
 * lost. Instead only our side is closed at first.
 */
export function keepOpenForBody(request: IncomingMessage): void {
  const { socket } = request;
  if (!hasBody(request) || request.complete) return;
  socket.destroySoon = () => {
    socket.end();
    destroyLater(socket);
  };
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

/** Destroys a socket when its time is over; the returned function calls that off. */
export function destroyLater(socket: Duplex): () => void {
  const timer = setTimeout(() => socket.destroy(), LEFTOVER_MS);
  const stop = () => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  socket.once('close', stop);
  return stop;
}
