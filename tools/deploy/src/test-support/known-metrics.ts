import { createMetrics, METRICS, type MetricSpec } from '@clew/runtime';
import { readPromql } from './promql.ts';

/** Volume metrics of the kubelet, which no process of Clew could report. */
const KUBELET = ['kubelet_volume_stats_available_bytes', 'kubelet_volume_stats_capacity_bytes'];
const OF_VOLUMES = ['namespace', 'persistentvolumeclaim'];
/** Labels of every series: that of the process, and those that Prometheus adds from its discovery. */
const COMMON = ['service', 'namespace', 'pod'];

/** Labels of each series that Prometheus can have about Clew. */
export async function knownSeries(): Promise<Map<string, readonly string[]>> {
  const known = new Map<string, readonly string[]>(KUBELET.map((name) => [name, OF_VOLUMES]));
  for (const [name, { kind, labels }] of Object.entries<MetricSpec>(METRICS)) {
    if (kind !== 'histogram') known.set(name, [...labels, ...COMMON]);
    else for (const [series, more] of seriesOfHistogram(name)) known.set(series, [...labels, ...more, ...COMMON]);
  }
  for (const { name, aggregator } of await createMetrics('test').getMetricsAsJSON()) {
    if (aggregator !== undefined) known.set(name, COMMON);
  }
  return known;
}

function seriesOfHistogram(name: string) {
  return [
    [`${name}_bucket`, ['le']],
    [`${name}_sum`, []],
    [`${name}_count`, []],
  ] as const;
}

/** Names in an expression that no process reports, in words; throws if the expression is not valid PromQL. */
export function strangersIn(expr: string, known: ReadonlyMap<string, readonly string[]>): string[] {
  const { selected, grouping } = readPromql(expr);
  const reachable = new Set(selected.flatMap(({ metric }) => known.get(metric) ?? []));
  return [
    ...selected.flatMap(({ metric, labels }) => {
      const has = known.get(metric);
      if (has === undefined) return [`no metric ${metric}`];
      return labels.filter((label) => !has.includes(label)).map((label) => `no label ${label} of ${metric}`);
    }),
    ...grouping.filter((label) => !reachable.has(label)).map((label) => `no label ${label} to group by`),
  ];
}
