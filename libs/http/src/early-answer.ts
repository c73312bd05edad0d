import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasBody } from './has-body.ts';

/** Time for which the rest of a rejected body is read and dropped, so that its sender can read the answer. */
const LEFTOVER_MS = 5_000;

/**
 * Must be called before an answer that may come ahead of the whole body. If the connection is not kept, Node destroys
 * the socket right after the answer; bytes in transit would then reset it, and the answer may be lost. Instead only our
 * side is closed at first. The answer still says that the connection ends: a caller that requested that and was told
 * otherwise would send its next request to a parser that accepts no more.
 */
export function keepOpenForBody(request: IncomingMessage): void {
  const { socket } = request;
  if (!hasBody(request) || request.complete) return;
  socket.destroySoon = () => {
    socket.end();
    destroyLater(socket);
  };
}

/** Destroys a socket after the time limit, 5,000 by default; the returned function cancels that. */
export function destroyLater(socket: Duplex, leftoverMs: number = LEFTOVER_MS): () => void {
  const timer = setTimeout(() => socket.destroy(), leftoverMs);
  const stop = () => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  socket.once('close', stop);
  return stop;
}
