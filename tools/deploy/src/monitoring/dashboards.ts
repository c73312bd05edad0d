import type { Dashboard } from './grafana.ts';
import { ages, durations, errors, givenUp, hitRatio, ofPods, quantiles, requests, waiting, work } from './panels.ts';
import { OF_DUE_ROWS, OF_QUEUES } from './series.ts';

const NOT_GATEWAY = 'service!="gateway"';
const CHOSEN = 'service="$service"';
const PROVIDER = 'clew_provider_request_duration_seconds';

const OVERVIEW: Dashboard = {
  ...{ name: 'overview', title: 'Clew: overview' },
  rows: [
    {
      title: 'What callers see',
      panels: [
        requests('Requests of callers, by service behind the gateway', 'service="gateway"', 'route'),
        errors('Share that fails', 'service="gateway"', 'route'),
        durations('95th percentile', 'service="gateway"', 'route'),
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          ...{ title: 'Ready', kind: 'stat', unit: 'short' },
          description: '1 where every check of every pod holds',
          queries: [{ expr: 'min by (service) (clew_ready)', legend: '{{service}}' }],
        },
        ofPods('Memory', 'bytes', 'process_resident_memory_bytes'),
        {
          ...{ title: 'Processor', unit: 'percentunit' },
          queries: [
            {
              expr: 'sum by (service) (rate(process_cpu_seconds_total[$__rate_interval]))',
              legend: '{{service}}',
            },
          ],
        },
        ofPods('Lag of the loop, 99th percentile', 's', 'nodejs_eventloop_lag_p99_seconds'),
        ofPods('Requests in hand of gateways', 'short', 'clew_gateway_requests_in_flight'),
        {
          ...{ title: 'Listeners to changes', unit: 'short' },
          queries: [
            { expr: 'max by (pod) (clew_gateway_change_listeners)', legend: '{{pod}}' },
            { expr: 'max by (pod) (clew_gateway_change_listeners_behind)', legend: '{{pod}}, behind' },
          ],
        },
        {
          ...{ title: 'Gateways that shed, and circuits that are open', unit: 'short' },
          queries: [
            { expr: 'max by (pod) (clew_gateway_overloaded)', legend: '{{pod}} sheds' },
            { expr: 'max by (upstream) (clew_gateway_upstream_circuit_open)', legend: '{{upstream}} is cut' },
          ],
        },
      ],
    },
    {
      title: 'What waits, and the disk',
      panels: [
        {
          ...{ title: 'Oldest of what waits', unit: 's' },
          queries: [
            {
              expr: 'topk(10, max by (service, part) (clew_part_oldest_age_seconds))',
              legend: '{{service}} {{part}}',
            },
          ],
        },
        givenUp('Given up, and waiting for a person', ''),
        {
          ...{ title: 'Disk of the databases', unit: 'percentunit' },
          queries: [
            {
              expr: 'max by (service) (clew_database_disk_used_bytes / clew_database_disk_total_bytes)',
              legend: '{{service}}',
            },
          ],
        },
        {
          ...{ title: 'Size of the databases', unit: 'bytes' },
          queries: [{ expr: 'max by (service) (clew_database_size_bytes)', legend: '{{service}}' }],
        },
      ],
    },
  ],
};

const SERVICE: Dashboard = {
  ...{ name: 'service', title: 'Clew: one service', choosesService: true },
  rows: [
    {
      title: 'Requests',
      panels: [
        requests('Requests by route', CHOSEN, 'route'),
        errors('Share that fails, by route', CHOSEN, 'route'),
        durations('95th percentile by route', CHOSEN, 'route'),
        requests('Requests by status', CHOSEN, 'status'),
        requests('Requests by method', CHOSEN, 'method'),
        durations('95th percentile by status', CHOSEN, 'status'),
        {
          ...{ title: 'Requests in hand, by class', unit: 'short' },
          queries: [{ expr: `sum by (class) (clew_http_requests_in_flight{${CHOSEN}})`, legend: '{{class}}' }],
        },
      ],
    },
    {
      title: 'What goes on by itself',
      panels: [waiting('What waits', CHOSEN), ages('Age of the oldest', CHOSEN), givenUp('Given up', CHOSEN)],
    },
    {
      title: 'Work and caches',
      panels: [
        ...work(CHOSEN),
        {
          ...{ title: 'Share of look-ups that a cache answers', unit: 'percentunit' },
          queries: [{ expr: hitRatio(CHOSEN), legend: '{{cache}}' }],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          ...{ title: 'Checks of readiness', unit: 'short' },
          queries: [{ expr: `min by (pod, check) (clew_ready{${CHOSEN}})`, legend: '{{pod}} {{check}}' }],
        },
        ofPods('Memory', 'bytes', 'process_resident_memory_bytes', CHOSEN),
        ofPods('Heap', 'bytes', 'nodejs_heap_size_used_bytes', CHOSEN),
        {
          ...{ title: 'Processor', unit: 'percentunit' },
          queries: [
            {
              expr: `sum by (pod) (rate(process_cpu_seconds_total{${CHOSEN}}[$__rate_interval]))`,
              legend: '{{pod}}',
            },
          ],
        },
        ofPods('Lag of the loop, 99th percentile', 's', 'nodejs_eventloop_lag_p99_seconds', CHOSEN),
        {
          ...{ title: 'How long ago each part turned', unit: 's' },
          queries: [{ expr: `max by (pod, part) (clew_part_beat_age_seconds{${CHOSEN}})`, legend: '{{pod}} {{part}}' }],
        },
      ],
    },
  ],
};

const QUEUES: Dashboard = {
  ...{ name: 'queues', title: 'Clew: queues and outboxes' },
  rows: [
    {
      title: 'Queues',
      panels: [
        waiting('Messages', OF_QUEUES),
        ages('Age of the oldest, at most', OF_QUEUES),
        givenUp('Dead letters', OF_QUEUES),
      ],
    },
    { title: 'Outboxes', panels: [waiting('Rows', 'part="outbox"'), ages('Age of the oldest', 'part="outbox"')] },
    {
      title: 'Scheduled tasks',
      panels: [
        waiting('Rows', OF_DUE_ROWS),
        ages('How long the first has been due', OF_DUE_ROWS),
        givenUp('Given up', OF_DUE_ROWS),
      ],
    },
  ],
};

const PIPELINE: Dashboard = {
  ...{ name: 'pipeline', title: 'Clew: from spans to Findings' },
  rows: [
    {
      title: 'Taken in',
      panels: [
        requests('Exports and imports', 'service="telemetry-ingest"', 'route'),
        requests('Answers', 'service="telemetry-ingest"', 'status'),
        durations('95th percentile', 'service="telemetry-ingest"', 'route'),
        ofPods('Memory held by bodies', 'bytes', 'clew_ingest_held_bytes'),
        ofPods('Bodies in files', 'short', 'clew_ingest_open_spools'),
      ],
    },
    {
      title: 'Stored and assembled',
      panels: [
        waiting('What waits in the warehouse', 'service="telemetry-warehouse"'),
        ages('Age of the oldest', 'service="telemetry-warehouse",part!="retention"'),
        ages('How far retention is behind', 'part="retention"'),
      ],
    },
    { title: 'Work of the warehouse', panels: work('service="telemetry-warehouse"') },
    {
      title: 'Analysed',
      panels: [
        waiting('What waits for diagnostics and workers', 'service=~"diagnostics-svc|knowledge-svc|jobs-worker"'),
        ages('Age of the oldest', 'service=~"diagnostics-svc|knowledge-svc|jobs-worker"'),
        givenUp('Given up', NOT_GATEWAY),
      ],
    },
    { title: 'Work of diagnostics and workers', panels: work('service=~"diagnostics-svc|knowledge-svc|jobs-worker"') },
  ],
};

const MODELS: Dashboard = {
  ...{ name: 'models', title: 'Clew: models' },
  rows: [
    {
      title: 'Providers',
      panels: [
        {
          ...{ title: 'Calls by outcome', unit: 'ops' },
          description: '`limited` is 429, `refused` another 4xx, `failed` no answer or 5xx; each attempt counts',
          queries: [
            {
              expr: `sum by (where, outcome) (rate(${PROVIDER}_count[$__rate_interval]))`,
              legend: '{{where}} {{outcome}}',
            },
          ],
        },
        quantiles('Head of the answer, 95th percentile', {
          ...{ metric: PROVIDER, matcher: 'outcome="ok"', by: 'where', quantile: 0.95 },
        }),
        quantiles('Head of the answer, median', {
          ...{ metric: PROVIDER, matcher: 'outcome="ok"', by: 'where', quantile: 0.5 },
        }),
      ],
    },
    {
      title: 'The endpoint',
      panels: [
        requests('Requests by route', 'service="model-runtime-svc"', 'route'),
        errors('Share that fails', 'service="model-runtime-svc"', 'route'),
        {
          ...{ title: 'Calls that were not recorded', unit: 'ops' },
          queries: [
            { expr: 'sum(rate(clew_inference_unrecorded_calls_total[$__rate_interval]))', legend: 'not recorded' },
          ],
        },
      ],
    },
    {
      title: 'The runtime',
      panels: [
        waiting('What waits', 'service=~"model-runtime-.*"'),
        ofPods('Memory', 'bytes', 'process_resident_memory_bytes', 'service=~"model-runtime-.*"'),
        {
          ...{ title: 'Room on volumes', unit: 'bytes' },
          queries: [
            {
              expr: 'min by (persistentvolumeclaim) (kubelet_volume_stats_available_bytes{namespace="clew"})',
              legend: '{{persistentvolumeclaim}}',
            },
          ],
        },
      ],
    },
  ],
};

/** All dashboards. Tests verify that each query uses existing metrics. */
export const DASHBOARDS: readonly Dashboard[] = [OVERVIEW, SERVICE, QUEUES, PIPELINE, MODELS];
