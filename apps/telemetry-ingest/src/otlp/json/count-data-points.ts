import type { Body } from '../../body/body.ts';
import { walkJson, type JsonShape } from '../../json/shape-walker.ts';
import { EntryCounter, MAX_OTLP_JSON_DEPTH } from '../../records/limits.ts';

const METRIC_KINDS = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'];

/** Counts the data points in an ExportMetricsServiceRequest in JSON. */
export async function countDataPointsJson(body: Body): Promise<number> {
  const entries = new EntryCounter();
  let count = 0;
  const list = (name: string, items: JsonShape): JsonShape => ({
    kind: 'object',
    members: { [name]: { kind: 'list', beginItem: () => entries.add(), items } },
  });
  const points: JsonShape = {
    kind: 'object',
    members: {
      dataPoints: {
        kind: 'list',
        beginItem() {
          entries.add();
          count += 1;
        },
        items: { kind: 'object', members: {} },
      },
    },
  };
  const metric: JsonShape = {
    kind: 'object',
    members: Object.fromEntries(METRIC_KINDS.map((kind) => [kind, points])),
  };
  const shape = list('resourceMetrics', list('scopeMetrics', list('metrics', metric)));
  await walkJson(body.chunks(), shape, MAX_OTLP_JSON_DEPTH);
  return count;
}
