import { Gauge, type MetricsRegistry } from '@clew/runtime';
import type { UpstreamProxy } from './proxy/upstream-proxy.ts';
import type { LoadShedder } from './server/load-shedder.ts';

/** What an operator asks when callers see 503. Read when the metrics are, so that they cost a request nothing. */
export function registerGauges(
  metrics: MetricsRegistry,
  loadShedder: LoadShedder,
  upstreams: Readonly<Record<string, UpstreamProxy>>,
): void {
  new Gauge({
    name: 'clew_gateway_requests_in_flight',
    help: 'Requests under way',
    registers: [metrics],
    collect() {
      this.set(loadShedder.inFlight);
    },
  });
  new Gauge({
    name: 'clew_gateway_overloaded',
    help: '1 while new requests are shed',
    registers: [metrics],
    collect() {
      this.set(loadShedder.isOverloaded() ? 1 : 0);
    },
  });
  new Gauge({
    name: 'clew_gateway_upstream_circuit_open',
    help: '1 while requests for an upstream are refused because it cannot be reached',
    labelNames: ['upstream'],
    registers: [metrics],
    collect() {
      for (const [upstream, proxy] of Object.entries(upstreams)) this.set({ upstream }, proxy.isOpen() ? 1 : 0);
    },
  });
}
