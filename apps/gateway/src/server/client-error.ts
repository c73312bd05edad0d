import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, errorBody, newId } from '@clew/kernel';
import { destroyLater, SERVICE_REQUEST_ID_HEADER } from '@clew/http';
import { JSON_CONTENT_TYPE, sendError } from './send-error.ts';

/** Socket of Node's HTTP server, which knows the response that is being written to it. */
interface HttpSocket extends Duplex {
  _httpMessage?: ServerResponse | null;
}

const answered = new WeakSet<Duplex>();

/** Answers bytes that Node's HTTP parser refused: there is no request, only the socket. */
export function answerClientError(error: NodeJS.ErrnoException, socket: HttpSocket): void {
  // Bytes that arrive after the answer are refused again; they are read and dropped until the socket is closed.
  if (answered.has(socket)) return;
  answered.add(socket);
  const response = socket._httpMessage ?? undefined;
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
    socket.destroy();
  } else if (response !== undefined) {
    // The body of a request in progress breaks off or is not framed as declared: nobody can tell where the next request
    // would begin.
    response.shouldKeepAlive = false;
    sendError(response.req, response, meaningOf(error.code));
  } else {
    answerSocket(socket, meaningOf(error.code));
  }
}

/** Refuses CONNECT, since the gateway is no tunnel; Node hands over the bare socket. */
export function refuseConnect(_request: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  answerSocket(socket, new AppError('METHOD_NOT_ALLOWED', 'CONNECT is not served'));
}

/** Writes an answer, and leaves the reader some time before the socket is closed, even if it is still sending. */
function answerSocket(socket: Duplex, error: AppError): void {
  const requestId = newId('req');
  const content = errorBody(error, requestId);
  const body = JSON.stringify(content);
  const head = [
    `HTTP/1.1 ${error.status} ${content.error}`,
    `date: ${new Date().toUTCString()}`,
    `content-type: ${JSON_CONTENT_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    `${SERVICE_REQUEST_ID_HEADER}: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  socket.resume();
  destroyLater(socket);
}

function meaningOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('HEADERS_TOO_LARGE', 'The headers are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new AppError('REQUEST_TIMEOUT', 'The request took too long to arrive');
  }
  return new AppError('BAD_REQUEST', 'The request is not valid HTTP');
}
