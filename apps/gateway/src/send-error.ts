import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, errorBody, newId } from '@clew/kernel';
import { SERVICE_REQUEST_ID_HEADER } from '@clew/http';

/** Answers with the common error body, on the plain server where Express is not at hand. */
export function sendError(response: ServerResponse, error: AppError, requestId: string): void {
  const body = JSON.stringify(errorBody(error, requestId));
  response.writeHead(error.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    [SERVICE_REQUEST_ID_HEADER]: requestId,
    ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...error.headers,
  });
  response.end(body);
}

/** Answers bytes that Node's HTTP parser refused: there is no response object, only the socket. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const meaning = meaningOf(error.code);
  const requestId = newId('req');
  const body = JSON.stringify(errorBody(meaning, requestId));
  const head = [
    `HTTP/1.1 ${meaning.status} ${errorBody(meaning, requestId).error}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `${SERVICE_REQUEST_ID_HEADER}: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function meaningOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('HEADERS_TOO_LARGE', 'The headers are too large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('REQUEST_TIMEOUT', 'The request took too long to arrive');
  return new AppError('BAD_REQUEST', 'The request is not valid HTTP');
}

/** The path of a request, without its query. */
export function pathOf(request: IncomingMessage): string {
  const url = request.url ?? '/';
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}
