import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasBody } from './has-body.ts';

/** How long the rest of a refused body is read and dropped, so that its sender gets to read the answer. */
const LEFTOVER_MS = 5_000;

/**
 * To be called before an answer that may come ahead of the whole body. Where the connection is not to be kept, Node
 * destroys the socket right after the answer; bytes that are still under way would then reset it, and the answer may be
 * lost. Instead only our side is closed at first. The answer still says that the connection ends: a caller that asked
 * for that and was told otherwise would send its next request to a parser that takes no more.
 */
export function keepOpenForBody(request: IncomingMessage): void {
  const { socket } = request;
  if (!hasBody(request) || request.complete) return;
  socket.destroySoon = () => {
    socket.end();
    destroyLater(socket);
  };
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
