import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Knows when the gateway has more to do than it can, so that new requests are better refused. */
export interface LoadShedder {
  readonly inFlight: number;
  begin(): void;
  end(): void;
  isOverloaded(): boolean;
  close(): void;
}

export interface LoadShedderOptions {
  maxRequestsInFlight: number;
  maxEventLoopLagMs: number;
}

const LAG_RESOLUTION_MS = 10;
const LAG_SAMPLE_MS = 200;

/**
 * Overloaded is: too many requests under way, or an event loop that turns too slowly. The lag is the median of a short
 * while: a single pause, of the garbage collection for instance, is over before refusing requests could help.
 */
export function createLoadShedder({ maxRequestsInFlight, maxEventLoopLagMs }: LoadShedderOptions): LoadShedder {
  const delays = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  delays.enable();
  let inFlight = 0;
  let lagging = false;
  const timer = setInterval(() => {
    // A loop that turns more slowly than this timer has measured nothing since the last time.
    if (delays.count === 0) return;
    lagging = delays.percentile(50) / 1e6 - LAG_RESOLUTION_MS > maxEventLoopLagMs;
    delays.reset();
  }, LAG_SAMPLE_MS).unref();
  return {
    get inFlight() {
      return inFlight;
    },
    begin() {
      inFlight += 1;
    },
    end() {
      inFlight -= 1;
    },
    isOverloaded: () => lagging || inFlight > maxRequestsInFlight,
    close() {
      clearInterval(timer);
      delays.disable();
    },
  };
}
