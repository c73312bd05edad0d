/** Definition of a metric, before a process registers it. */
export interface MetricSpec {
  readonly kind: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  /** Labels with few values each, which limits the number of series; `service` is added to every metric. */
  readonly labels: readonly string[];
  /** Buckets of a histogram, in seconds. */
  readonly buckets?: readonly number[];
}

/**
 * All of Clew's own metrics. Processes register their metrics from this table, and alert rules and dashboards refer
 * only to metrics in it.
 */
export const METRICS = {
  clew_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of HTTP requests',
    labels: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  clew_http_requests_in_flight: {
    kind: 'gauge',
    help: 'Requests that are in hand, by the class of their route',
    labels: ['class'],
  },
  clew_ready: {
    kind: 'gauge',
    help: '1 while a check of readiness holds, 0 while it fails',
    labels: ['check'],
  },
  clew_part_waiting: {
    kind: 'gauge',
    help: 'What waits for a part: messages of a queue, rows of an outbox, scheduled tasks',
    labels: ['part'],
  },
  clew_part_oldest_age_seconds: {
    kind: 'gauge',
    help: 'How long the first of them has waited, at most',
    labels: ['part'],
  },
  clew_part_given_up: {
    kind: 'gauge',
    help: 'What a part has given up, and a person is to look at: dead letters, rows',
    labels: ['part'],
  },
  clew_part_beat_age_seconds: {
    kind: 'gauge',
    help: 'How long ago a part of the process showed that it turns',
    labels: ['part'],
  },
  clew_work_duration_seconds: {
    kind: 'histogram',
    help: 'How long one piece of work of a part was in hand: a message, a batch of them, a group of scheduled tasks',
    labels: ['part', 'outcome'],
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800],
  },
  clew_cache_lookups_total: {
    kind: 'counter',
    help: 'Look-ups in a cache of the process, by whether it was there',
    labels: ['cache', 'result'],
  },
  clew_database_size_bytes: {
    kind: 'gauge',
    help: 'What the database of the service takes on disk, with its indexes',
    labels: [],
  },
  clew_database_disk_used_bytes: {
    kind: 'gauge',
    help: 'What is used of the disk that the database lies on, by whomever',
    labels: [],
  },
  clew_database_disk_total_bytes: {
    kind: 'gauge',
    help: 'How large the disk is that the database lies on',
    labels: [],
  },
  clew_gateway_requests_in_flight: { kind: 'gauge', help: 'Requests under way', labels: [] },
  clew_gateway_change_listeners: { kind: 'gauge', help: 'Open streams of changes', labels: [] },
  clew_gateway_change_listeners_behind: {
    kind: 'gauge',
    help: 'Open streams of changes whose listeners read too slowly',
    labels: [],
  },
  clew_gateway_overloaded: { kind: 'gauge', help: '1 while new requests are shed', labels: [] },
  clew_gateway_upstream_circuit_open: {
    kind: 'gauge',
    help: '1 while requests for an upstream are refused because it cannot be reached',
    labels: ['upstream'],
  },
  clew_ingest_held_bytes: { kind: 'gauge', help: 'What requests hold in memory', labels: [] },
  clew_ingest_open_spools: { kind: 'gauge', help: 'Large bodies that are in a file', labels: [] },
  clew_provider_request_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the call of a model provider to the head of its answer, each attempt by itself',
    labels: ['where', 'outcome'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 300],
  },
  clew_inference_unrecorded_calls_total: {
    kind: 'counter',
    help: 'Calls that could not be recorded as telemetry',
    labels: [],
  },
} as const satisfies Readonly<Record<string, MetricSpec>>;

export type MetricName = keyof typeof METRICS;
export type MetricOf<Kind extends MetricSpec['kind']> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
export type LabelOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];
