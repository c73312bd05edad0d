import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, errorBody } from '@clew/kernel';
import { keepOpenForBody, openAiErrorBody, SERVICE_REQUEST_ID_HEADER } from '@clew/http';
import { sendPageError } from '../pages/page-routes.ts';
import { resolveRoute } from '../proxy/route-table.ts';
import { takePath } from './request-target.ts';

export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** Answers with the error body of the route, on the plain server where Express is not available. */
export function sendError(request: IncomingMessage, response: ServerResponse, error: AppError): void {
  const requestId = String(response.getHeader(SERVICE_REQUEST_ID_HEADER));
  const format = errorFormatOf(request);
  keepOpenForBody(request);
  if (format === 'page') return sendPageError(response, error);
  const body = JSON.stringify(format === 'openai' ? openAiErrorBody(error) : errorBody(error, requestId));
  response.writeHead(error.status, {
    'content-type': JSON_CONTENT_TYPE,
    'content-length': Buffer.byteLength(body),
    ...(error.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...error.headers,
  });
  response.end(body);
}

/** Resolves the route again, only if something goes wrong, so that successful requests pay nothing. */
function errorFormatOf(request: IncomingMessage): 'openai' | 'page' | undefined {
  try {
    const route = resolveRoute(request.method, takePath(request));
    if (route.kind === 'open') return route.isPage === true ? 'page' : undefined;
    return route.kind === 'proxied' ? route.errorFormat : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
