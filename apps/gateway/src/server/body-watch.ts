import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@clew/kernel';
import { sendError } from './send-error.ts';

/** Answers 408 to callers whose bodies arrive too slowly. */
export interface BodyWatch {
  /** Starts to watch the body; a request without one costs nothing here. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** Stops watching a request that has been answered. */
  forget(request: IncomingMessage): void;
  close(): void;
}

export function refuseSlowBody(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else sendError(request, response, new AppError('REQUEST_TIMEOUT', 'The body took too long to arrive'));
}
