import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@clew/kernel';
import { hasBody } from '@clew/http';
import { sendError } from './send-error.ts';

const SWEEP_EVERY_MS = 500;

export interface BodyDeadlines {
  /** From now on the body has its time to arrive; a request without one costs nothing here. */
  watch(request: IncomingMessage, response: ServerResponse): void;
  /** The request has been answered. */
  forget(request: IncomingMessage): void;
  close(): void;
}

/** Answers 408 to callers that send their body too slowly. One timer for all, since all have the same time. */
export function createBodyDeadlines(timeoutMs: number): BodyDeadlines {
  /** In the order of their deadlines. */
  const waiting = new Map<IncomingMessage, { response: ServerResponse; deadlineMs: number }>();
  const timer = setInterval(sweep, Math.min(SWEEP_EVERY_MS, timeoutMs)).unref();

  function sweep(): void {
    const nowMs = performance.now();
    for (const [request, { response, deadlineMs }] of waiting) {
      if (deadlineMs > nowMs) return;
      waiting.delete(request);
      if (!request.complete) giveUp(request, response);
    }
  }

  return {
    watch(request, response) {
      if (hasBody(request)) waiting.set(request, { response, deadlineMs: performance.now() + timeoutMs });
    },
    forget: (request) => void waiting.delete(request),
    close: () => clearInterval(timer),
  };
}

function giveUp(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else sendError(request, response, new AppError('REQUEST_TIMEOUT', 'The body took too long to arrive'));
}
