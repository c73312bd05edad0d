import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody, type AppError } from '@clew/kernel';
import { SERVICE_REQUEST_ID_HEADER } from '@clew/http';
import { keepOpenForBody } from './request-body.ts';

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** Answers with the common error body, on the plain server where Express is not at hand. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  const requestId = String(response.getHeader(SERVICE_REQUEST_ID_HEADER));
  const body = JSON.stringify(errorBody(error, requestId));
  keepOpenForBody(request);
  response.writeHead(error.status, {
    'content-type': JSON_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...error.headers,
  });
  response.end(body);
}
