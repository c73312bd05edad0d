import { AppError } from '@clew/kernel';
import { readMessage, readSlice, type Reader } from './wire.ts';

/** Where the data points of a metric are: gauge 5, sum 7, histogram 9, exponential histogram 10, summary 11. */
const DATA_FIELDS = new Set([5, 7, 9, 10, 11]);
const DATA_NAMES = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'];

/** How many data points an ExportMetricsServiceRequest (metrics/v1/metrics.proto) holds. */
export function countDataPoints(bytes: Uint8Array): number {
  try {
    // request 1 -> resource metrics 2 -> scope metrics 2 -> metric
    return sumOf(bytes, 1, (resource) => sumOf(resource, 2, (scope) => sumOf(scope, 2, countInMetric)));
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body is not a valid OTLP protobuf message', { cause: error });
  }
}

function countInMetric(metric: Uint8Array): number {
  let count = 0;
  readMessage(metric, (field, reader, wireType) => {
    if (!DATA_FIELDS.has(field)) return false;
    count += sumOf(readSlice(reader, wireType), 1, () => 1);
    return true;
  });
  return count;
}

function sumOf(bytes: Uint8Array, wanted: number, count: (part: Uint8Array) => number): number {
  let sum = 0;
  readMessage(bytes, (field, reader: Reader, wireType) => {
    if (field !== wanted) return false;
    sum += count(readSlice(reader, wireType));
    return true;
  });
  return sum;
}

/** The same for OTLP/JSON. */
export function countDataPointsJson(body: unknown): number {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AppError('MALFORMED_BODY', 'The body is not a JSON object');
  }
  const metrics = listOf(body, 'resourceMetrics')
    .flatMap((resource) => listOf(resource, 'scopeMetrics'))
    .flatMap((scope) => listOf(scope, 'metrics'));
  return metrics.reduce<number>((sum, metric) => sum + countInJsonMetric(metric), 0);
}

function countInJsonMetric(metric: unknown): number {
  return DATA_NAMES.reduce((sum, name) => sum + listOf(property(metric, name), 'dataPoints').length, 0);
}

function listOf(parent: unknown, key: string): unknown[] {
  const value = property(parent, key);
  return Array.isArray(value) ? value : [];
}

function property(parent: unknown, key: string): unknown {
  return typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[key] : undefined;
}
