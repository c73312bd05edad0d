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

const HTTP_DURATION = 'clew_http_request_duration_seconds';

/**
 * Request durations by route class and status: few labels, so that the series stay countable. The same histogram for
 * every caller with the same registry.
 */
export function httpDurationHistogram(registry: MetricsRegistry): Histogram<'method' | 'route' | 'status'> {
  const existing = registry.getSingleMetric(HTTP_DURATION);
  if (existing !== undefined) return existing as Histogram<'method' | 'route' | 'status'>;
  return new Histogram({
    name: HTTP_DURATION,
    help: 'Duration of HTTP requests',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
}
