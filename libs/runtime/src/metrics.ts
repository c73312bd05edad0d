import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type MetricsRegistry = Registry;
export { Counter, Gauge, Histogram };

/** A registry with the process's own figures (memory, event-loop lag, garbage collection). */
export function createMetrics(service: string): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}

/** Request durations by route class and status: few labels, so that the series stay countable. */
export function httpDurationHistogram(registry: MetricsRegistry) {
  return new Histogram({
    name: 'clew_http_request_duration_seconds',
    help: 'Duration of HTTP requests',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
}
