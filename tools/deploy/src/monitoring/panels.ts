import type { Panel } from './grafana.ts';
import { once } from './series.ts';

const HTTP = 'clew_http_request_duration_seconds';
const WINDOW = '[$__rate_interval]';

/** Requests per second, by a label. */
export function requests(title: string, matcher: string, by: string): Panel {
  const expr = `sum by (${by}) (rate(${HTTP}_count{${matcher}}${WINDOW}))`;
  return { title, unit: 'reqps', queries: [{ expr, legend: `{{${by}}}` }] };
}

/** Share of requests answered with a status of 500 or above. */
export function errors(title: string, matcher: string, by: string): Panel {
  const failed = `sum by (${by}) (rate(${HTTP}_count{${[matcher, 'status=~"5.."'].filter(Boolean).join(',')}}${WINDOW}))`;
  const expr = `${failed} / sum by (${by}) (rate(${HTTP}_count{${matcher}}${WINDOW}))`;
  return { title, unit: 'percentunit', queries: [{ expr, legend: `{{${by}}}` }] };
}

/** 95th percentile of the request durations. */
export function durations(title: string, matcher: string, by: string): Panel {
  return quantiles(title, { metric: HTTP, matcher, by, quantile: 0.95 });
}

export function quantiles(
  title: string,
  { metric, matcher, by, quantile }: { metric: string; matcher: string; by: string; quantile: number },
): Panel {
  const expr = `histogram_quantile(${quantile}, sum by (${by}, le) (rate(${metric}_bucket{${matcher}}${WINDOW})))`;
  return { title, unit: 's', queries: [{ expr, legend: `{{${by}}}` }] };
}

/** Work that waits for background tasks. */
export const waiting = (title: string, matcher: string): Panel => ofParts(title, 'clew_part_waiting', matcher, 'short');

/** Waiting time of the oldest piece of work. */
export const ages = (title: string, matcher: string): Panel =>
  ofParts(title, 'clew_part_oldest_age_seconds', matcher, 's');

export const givenUp = (title: string, matcher: string): Panel =>
  ofParts(title, 'clew_part_given_up', matcher, 'short');

function ofParts(title: string, metric: string, matcher: string, unit: Panel['unit']): Panel {
  return { title, unit, queries: [{ expr: once(metric, matcher), legend: '{{service}} {{part}}' }] };
}

/** One value for each pod. */
export function ofPods(title: string, unit: Panel['unit'], metric: string, matcher = ''): Panel {
  return { title, unit, queries: [{ expr: `max by (service, pod) (${metric}{${matcher}})`, legend: '{{pod}}' }] };
}

const WORK = 'clew_work_duration_seconds';

/**
 * Pieces of work (messages, batches of them, groups of scheduled tasks): how many end, with which outcome, and how long
 * they take.
 */
export function work(matcher: string): Panel[] {
  return [
    {
      ...{ title: 'Pieces of work that end', unit: 'ops' },
      queries: [
        { expr: `sum by (part, outcome) (rate(${WORK}_count{${matcher}}${WINDOW}))`, legend: '{{part}} {{outcome}}' },
      ],
    },
    quantiles('Time of one piece, 95th percentile', { metric: WORK, matcher, by: 'part', quantile: 0.95 }),
  ];
}

/** Share of cache lookups that found an entry. */
export function hitRatio(matcher: string): string {
  const lookups = (more: string) => `sum by (cache) (rate(clew_cache_lookups_total{${matcher}${more}}${WINDOW}))`;
  return `${lookups(',result="hit"')} / ${lookups('')}`;
}
