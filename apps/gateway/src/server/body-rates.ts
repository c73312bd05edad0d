import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from '@clew/http';
import { refuseSlowBody, type BodyWatch } from './body-watch.ts';

export interface BodyRateOptions {
  /** Minimum bytes per window; a slower body is given up. The rest of a body that ends within a window may be less. */
  minBytes: number;
  windowMs: number;
}

interface Watched {
  response: ServerResponse;
  /** Bytes received on the connection when the window began. */
  bytesBefore: number;
  /** Part of the window, so far, in which the service was ready for more data. */
  wantedMs: number;
}

const SWEEPS_OF_A_WINDOW = 20;
const MAX_SWEEP_EVERY_MS = 500;

/**
 * Holds bodies that may take long to a minimum rate. A window counts only time in which the service was ready for more
 * data: while the service does not take the data that has arrived, nothing is read from the caller. The caller does not
 * pay for that, nor for a pause of this process.
 */
export function createBodyRates({ minBytes, windowMs }: BodyRateOptions): BodyWatch {
  const sweepEveryMs = Math.min(MAX_SWEEP_EVERY_MS, windowMs / SWEEPS_OF_A_WINDOW);
  const watched = new Map<IncomingMessage, Watched>();
  const timer = setInterval(sweep, sweepEveryMs).unref();
  let sweptAtMs = performance.now();

  function sweep(): void {
    const nowMs = performance.now();
    const passedMs = Math.min(nowMs - sweptAtMs, 2 * sweepEveryMs);
    sweptAtMs = nowMs;
    for (const [request, state] of watched) {
      if (request.complete || state.response.destroyed) watched.delete(request);
      else if (request.readableFlowing === true) wanted(request, state, passedMs);
    }
  }

  function wanted(request: IncomingMessage, state: Watched, passedMs: number): void {
    state.wantedMs += passedMs;
    if (state.wantedMs < windowMs) return;
    const { bytesRead } = request.socket;
    if (bytesRead - state.bytesBefore < minBytes) {
      watched.delete(request);
      refuseSlowBody(request, state.response);
      return;
    }
    state.bytesBefore = bytesRead;
    state.wantedMs = 0;
  }

  return {
    watch(request, response) {
      if (hasBody(request)) watched.set(request, { response, bytesBefore: request.socket.bytesRead, wantedMs: 0 });
    },
    forget: (request) => void watched.delete(request),
    close: () => clearInterval(timer),
  };
}
