import { observeGauge, type MetricsRegistry } from '@clew/runtime';
import type { UpstreamProxy } from './proxy/upstream-proxy.ts';
import type { LoadShedder } from './server/load-shedder.ts';

/**
 * Gauges that explain to an operator why callers see 503. They are read when metrics are collected, so that they cost a
 * request nothing.
 */
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
