import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type LabelOf, type MetricName, type MetricOf, type MetricSpec } from './metric-table.ts';

export type MetricsRegistry = Registry;
export type { Counter, Histogram };

/** A registry with the process's own figures (memory, event-loop lag, garbage collection). */
export function createMetrics(service: string): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}

type Labels<Name extends MetricName> = Record<LabelOf<Name>, string>;

/** Sets the value of one series; labels where the metric has some. */
export type SetGauge<Name extends MetricName> = (
  value: number,
  ...labels: [LabelOf<Name>] extends [never] ? [] : [Labels<Name>]
) => void;

/** A gauge that is read when the metrics are, so that it costs nothing else; series that are not set again go. */
export function observeGauge<Name extends MetricOf<'gauge'>>(
  registry: MetricsRegistry,
  name: Name,
  read: (set: SetGauge<Name>) => void | Promise<void>,
): void {
  new Gauge({
    ...definitionOf(registry, name),
    async collect() {
      const series: [value: number, labels: Partial<Labels<Name>>][] = [];
      await read((value, ...labels) => series.push([value, labels[0] ?? {}]));
      // In one step, so that nobody who asks at the same time finds half of them.
      this.reset();
      // A gauge without labels would be 0 now, which nobody has said.
      if (series.length === 0) this.remove({});
      for (const [value, labels] of series) this.set(labels, value);
    },
  });
}

/** A counter of the table; the same for every caller with the same registry. */
export function counterOf<Name extends MetricOf<'counter'>>(
  registry: MetricsRegistry,
  name: Name,
): Counter<LabelOf<Name>> {
  const existing = registry.getSingleMetric(name);
  if (existing !== undefined) return existing as Counter<LabelOf<Name>>;
  return new Counter(definitionOf(registry, name));
}

/** A histogram of the table; the same for every caller with the same registry. */
export function histogramOf<Name extends MetricOf<'histogram'>>(
  registry: MetricsRegistry,
  name: Name,
): Histogram<LabelOf<Name>> {
  const existing = registry.getSingleMetric(name);
  if (existing !== undefined) return existing as Histogram<LabelOf<Name>>;
  const { buckets = [] } = METRICS[name] as MetricSpec;
  return new Histogram({ ...definitionOf(registry, name), buckets: [...buckets] });
}

/** Counts look-ups of one cache; what counts is made once, since look-ups are on the way of every request. */
export function cacheLookups(registry: MetricsRegistry, cache: string): { hit(): void; miss(): void } {
  const lookups = counterOf(registry, 'clew_cache_lookups_total');
  const [hits, misses] = [lookups.labels({ cache, result: 'hit' }), lookups.labels({ cache, result: 'miss' })];
  return { hit: () => hits.inc(), miss: () => misses.inc() };
}

export type CacheLookups = ReturnType<typeof cacheLookups>;

function definitionOf<Name extends MetricName>(registry: MetricsRegistry, name: Name) {
  const { help, labels } = METRICS[name];
  return { name, help, labelNames: [...labels] as LabelOf<Name>[], registers: [registry] };
}
