import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type LabelOf, type MetricName, type MetricOf, type MetricSpec } from './metric-table.ts';

export type MetricsRegistry = Registry;
export type { Counter, Histogram };

/** Creates a registry with the process's own figures (memory, event-loop lag, garbage collection). */
export function createMetrics(service: string): MetricsRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  return registry;
}

type Labels<Name extends MetricName> = Record<LabelOf<Name>, string>;

/** Sets the value of one series; with labels if the metric has some. */
export type SetGauge<Name extends MetricName> = (
  value: number,
  ...labels: [LabelOf<Name>] extends [never] ? [] : [Labels<Name>]
) => void;

/**
 * Registers a gauge that is read on each scrape, so that it costs nothing else; series that are not set again vanish.
 */
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
      // Replaces all series in one step, so that concurrent scrapes never see half of them.
      this.reset();
      // A gauge without labels would now report 0, which nobody has set.
      if (series.length === 0) this.remove({});
      for (const [value, labels] of series) this.set(labels, value);
    },
  });
}

/** Returns a counter of the table; the same for every caller with the same registry. */
export function counterOf<Name extends MetricOf<'counter'>>(
  registry: MetricsRegistry,
  name: Name,
): Counter<LabelOf<Name>> {
  const existing = registry.getSingleMetric(name);
  if (existing !== undefined) return existing as Counter<LabelOf<Name>>;
  return new Counter(definitionOf(registry, name));
}

/** Returns a histogram of the table; the same for every caller with the same registry. */
export function histogramOf<Name extends MetricOf<'histogram'>>(
  registry: MetricsRegistry,
  name: Name,
): Histogram<LabelOf<Name>> {
  const existing = registry.getSingleMetric(name);
  if (existing !== undefined) return existing as Histogram<LabelOf<Name>>;
  const { buckets = [] } = METRICS[name] as MetricSpec;
  return new Histogram({ ...definitionOf(registry, name), buckets: [...buckets] });
}

/** Counts look-ups of one cache; the counters are created once, because every request does look-ups. */
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
