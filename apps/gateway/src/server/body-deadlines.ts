import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from '@clew/http';
import { refuseSlowBody, type BodyWatch } from './body-watch.ts';

const SWEEP_EVERY_MS = 500;

/** Gives each body `timeoutMs` to arrive. One timer serves all, since all have the same limit. */
export function createBodyDeadlines(timeoutMs: number): BodyWatch {
  /** Bodies in the order of their deadlines. */
  const waiting = new Map<IncomingMessage, { response: ServerResponse; deadlineMs: number }>();
  const timer = setInterval(sweep, Math.min(SWEEP_EVERY_MS, timeoutMs)).unref();

  function sweep(): void {
    const nowMs = performance.now();
    for (const [request, { response, deadlineMs }] of waiting) {
      if (deadlineMs > nowMs) return;
      waiting.delete(request);
      if (!request.complete) refuseSlowBody(request, response);
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
