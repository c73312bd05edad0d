import { observeGauge, type MetricsRegistry } from '@clew/runtime';
import type { UpstreamProxy } from './proxy/upstream-proxy.ts';
import type { LoadShedder } from './server/load-shedder.ts';

/** What an operator asks when callers see 503. Read when the metrics are, so that they cost a request nothing. */
export function registerGauges(
  metrics: MetricsRegistry,
  loadShedder: LoadShedder,
  upstreams: Readonly<Record<string, UpstreamProxy>>,
): void {
  observeGauge(metrics, 'clew_gateway_requests_in_flight', (set) => set(loadShedder.inFlight));
  observeGauge(metrics, 'clew_gateway_overloaded', (set) => set(loadShedder.isOverloaded() ? 1 : 0));
  observeGauge(metrics, 'clew_gateway_upstream_circuit_open', (set) => {
    for (const [upstream, proxy] of Object.entries(upstreams)) set(proxy.isOpen() ? 1 : 0, { upstream });
  });
}
