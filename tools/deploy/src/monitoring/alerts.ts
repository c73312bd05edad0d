import { SERVICE_NAMES } from '@clew/contracts/services';
import { OF_DUE_ROWS, OF_QUEUES, longRoutes, once, withoutRoutes } from './series.ts';

export interface Alert {
  /** Also the title of its section in docs/operations/alerts.md. */
  readonly name: string;
  /** `critical`: users are affected now. `warning`: they will be, unless somebody looks today. */
  readonly severity: 'critical' | 'warning';
  readonly expr: string;
  /** Time for which the condition must hold first, in Prometheus notation. */
  readonly for: string;
  readonly summary: string;
}

/** Limits of `GET /v1/health/signals`, in its default configuration. */
const MAX_AGE_SECONDS = 300;
const MAX_RETENTION_AGE_SECONDS = 6 * 3_600;
/** Lower than the limit of liveness (`MAX_HEARTBEAT_AGE_MS`, 300 s), after which the kubelet restarts the process. */
const STUCK_SECONDS = 200;

const HTTP_COUNT = 'clew_http_request_duration_seconds_count';
const BY_ROUTE = 'sum by (service, route)';
const PROVIDER_COUNT = 'clew_provider_request_duration_seconds_count';

/** Services that always run: a cluster without a GPU needs no agent. */
const LASTING = SERVICE_NAMES.filter((name) => name !== 'model-runtime-agent');

const WORK: readonly Alert[] = [
  {
    ...{ name: 'ClewQueueOld', severity: 'warning', for: '10m' },
    // A shrinking backlog is being processed, however old its first message is.
    expr: `${once('clew_part_oldest_age_seconds', OF_QUEUES)} > ${MAX_AGE_SECONDS} and ${once('clew_part_waiting', OF_QUEUES)} >= ${once('clew_part_waiting', OF_QUEUES, ' offset 10m')}`,
    summary: 'Messages wait in {{ $labels.part }}, and do not become fewer',
  },
  {
    ...{ name: 'ClewDeadLetters', severity: 'warning', for: '1m' },
    expr: `${once('clew_part_given_up', OF_QUEUES)} > 0`,
    summary: '{{ $value }} messages of {{ $labels.part }} were given up',
  },
  {
    ...{ name: 'ClewOutboxOld', severity: 'critical', for: '5m' },
    expr: `${once('clew_part_oldest_age_seconds', 'part="outbox"')} > 60`,
    summary: 'What {{ $labels.service }} has decided is not published',
  },
  {
    ...{ name: 'ClewScheduledTasksOld', severity: 'warning', for: '10m' },
    expr: `${once('clew_part_oldest_age_seconds', OF_DUE_ROWS)} > ${MAX_AGE_SECONDS}`,
    summary: '{{ $labels.part }} of {{ $labels.service }} does not get to what is due',
  },
  {
    ...{ name: 'ClewRowsGivenUp', severity: 'warning', for: '1m' },
    expr: `${once('clew_part_given_up', 'part!~".+[.]v[0-9]+"')} > 0`,
    summary: '{{ $labels.part }} of {{ $labels.service }} gave up {{ $value }} rows',
  },
  {
    ...{ name: 'ClewRetentionBehind', severity: 'warning', for: '30m' },
    expr: `${once('clew_part_oldest_age_seconds', 'part="retention"')} > ${MAX_RETENTION_AGE_SECONDS}`,
    summary: 'What has expired is kept for longer than it may be',
  },
  {
    ...{ name: 'ClewPartStuck', severity: 'critical', for: '1m' },
    expr: `max by (service, pod, part) (clew_part_beat_age_seconds) > ${STUCK_SECONDS}`,
    summary: '{{ $labels.part }} in {{ $labels.pod }} no longer turns',
  },
];

const REQUESTS: readonly Alert[] = [
  {
    ...{ name: 'ClewErrors', severity: 'critical', for: '5m' },
    expr: `${BY_ROUTE} (rate(${HTTP_COUNT}{status=~"5.."}[5m])) / ${BY_ROUTE} (rate(${HTTP_COUNT}[5m])) > 0.05 and ${BY_ROUTE} (rate(${HTTP_COUNT}{status=~"5.."}[5m])) > 0.02`,
    summary: '{{ $value | humanizePercentage }} of {{ $labels.route }} of {{ $labels.service }} fail',
  },
  {
    ...{ name: 'ClewSlow', severity: 'warning', for: '15m' },
    expr: `histogram_quantile(0.95, sum by (service, route, le) (rate(clew_http_request_duration_seconds_bucket{service!="gateway",${withoutRoutes(longRoutes())}}[10m]))) > 2.5`,
    summary: 'One of twenty requests of {{ $labels.route }} takes {{ $value | humanizeDuration }} or more',
  },
  {
    ...{ name: 'ClewUpstreamCut', severity: 'critical', for: '2m' },
    expr: 'max by (upstream) (clew_gateway_upstream_circuit_open) > 0',
    summary: 'The gateway refuses requests for {{ $labels.upstream }}: it cannot be reached',
  },
  {
    ...{ name: 'ClewOverloaded', severity: 'warning', for: '5m' },
    expr: 'max by (pod) (clew_gateway_overloaded) > 0',
    summary: '{{ $labels.pod }} sheds requests',
  },
  {
    ...{ name: 'ClewLoopLags', severity: 'warning', for: '15m' },
    expr: 'max by (service, pod) (nodejs_eventloop_lag_p99_seconds) > 0.5',
    summary: '{{ $labels.pod }} is too busy to answer in time',
  },
];

const PROCESSES: readonly Alert[] = [
  {
    ...{ name: 'ClewNotReady', severity: 'critical', for: '5m' },
    expr: 'min by (service, pod, check) (clew_ready) == 0',
    summary: '{{ $labels.pod }} takes no traffic: {{ $labels.check }} fails',
  },
  {
    ...{ name: 'ClewServiceMissing', severity: 'critical', for: '5m' },
    expr: LASTING.map((service) => `absent(process_start_time_seconds{service="${service}"})`).join(' or '),
    summary: 'No process of {{ $labels.service }} tells anything',
  },
  {
    ...{ name: 'ClewDatabaseDiskFull', severity: 'critical', for: '10m' },
    expr: 'max by (service) (clew_database_disk_used_bytes / clew_database_disk_total_bytes) > 0.85',
    summary: 'The disk under the database of {{ $labels.service }} is {{ $value | humanizePercentage }} full',
  },
  {
    ...{ name: 'ClewVolumeFull', severity: 'warning', for: '10m' },
    expr: 'min by (namespace, persistentvolumeclaim) (kubelet_volume_stats_available_bytes{namespace="clew"} / kubelet_volume_stats_capacity_bytes{namespace="clew"}) < 0.1',
    summary: 'The volume {{ $labels.persistentvolumeclaim }} has less than a tenth left',
  },
];

const MODELS: readonly Alert[] = [
  {
    ...{ name: 'ClewProviderFailures', severity: 'warning', for: '10m' },
    expr: `sum by (where) (rate(${PROVIDER_COUNT}{outcome=~"failed|limited"}[10m])) / sum by (where) (rate(${PROVIDER_COUNT}{outcome!="cancelled"}[10m])) > 0.2`,
    summary: '{{ $value | humanizePercentage }} of calls of model providers ({{ $labels.where }}) fail',
  },
  {
    ...{ name: 'ClewCallsUnrecorded', severity: 'critical', for: '0m' },
    expr: 'sum(increase(clew_inference_unrecorded_calls_total[15m])) > 0',
    summary: '{{ $value }} calls of models were not recorded',
  },
];

/** All alerts. Tests verify that each uses existing metrics and has a section that says what to do. */
export const ALERTS: readonly Alert[] = [...WORK, ...REQUESTS, ...PROCESSES, ...MODELS];

const GROUPS = { work: WORK, requests: REQUESTS, processes: PROCESSES, models: MODELS };

/** Page with a section for each alert, as a path in the repository; readers add the address of the repository. */
export const RUNBOOKS = 'docs/operations/alerts.md';

/** Alert groups in the format of the Prometheus operator. */
export function alertGroups(): object[] {
  return Object.entries(GROUPS).map(([group, alerts]) => ({
    name: `clew-${group}`,
    rules: alerts.map(({ name, severity, expr, summary, ...rest }) => ({
      alert: name,
      expr,
      for: rest.for,
      labels: { severity },
      annotations: { summary, runbook_url: `${RUNBOOKS}#${name.toLowerCase()}` },
    })),
  }));
}
