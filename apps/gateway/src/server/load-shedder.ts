import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Detects that the gateway has more to do than it can, so that new requests are better refused. */
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
 * Overload means too many requests in progress, or an event loop that turns too slowly. The delay of a period is its
 * median.
 */
export function createLoadShedder({ maxRequestsInFlight, maxEventLoopLagMs }: LoadShedderOptions): LoadShedder {
  const delays = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  delays.enable();
  let inFlight = 0;
  let lagging = false;
  const isLagging = createLagRule(maxEventLoopLagMs);
  const timer = setInterval(() => {
    // No samples: a loop that turns more slowly than this timer has measured nothing since the last run.
    if (delays.count === 0) return;
    lagging = isLagging(delays.percentile(50) / 1e6 - LAG_RESOLUTION_MS);
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

/**
 * Tells from the delay of each period, in milliseconds, whether the loop lags: in this period and in the one before. A
 * single pause, for instance of the garbage collector, can be all that its period has measured, and is over before
 * refusing requests could help.
 */
export function createLagRule(maxLagMs: number): (delayMs: number) => boolean {
  let wasSlow = false;
  return (delayMs) => {
    const isSlow = delayMs > maxLagMs;
    const isLagging = isSlow && wasSlow;
    wasSlow = isSlow;
    return isLagging;
  };
}
