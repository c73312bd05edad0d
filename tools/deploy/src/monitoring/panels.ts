import type { Panel } from './grafana.ts';
import { once } from './series.ts';

const HTTP = 'clew_http_request_duration_seconds';
const WINDOW = '[$__rate_interval]';

/** Requests a second, by a label of theirs. */
export function requests(title: string, matcher: string, by: string): Panel {
  const expr = `sum by (${by}) (rate(${HTTP}_count{${matcher}}${WINDOW}))`;
  return { title, unit: 'reqps', queries: [{ expr, legend: `{{${by}}}` }] };
}

/** The share of requests that were answered with a status of 500 or above. */
export function errors(title: string, matcher: string, by: string): Panel {
  const failed = `sum by (${by}) (rate(${HTTP}_count{${[matcher, 'status=~"5.."'].filter(Boolean).join(',')}}${WINDOW}))`;
  const expr = `${failed} / sum by (${by}) (rate(${HTTP}_count{${matcher}}${WINDOW}))`;
  return { title, unit: 'percentunit', queries: [{ expr, legend: `{{${by}}}` }] };
}

/** What nineteen of twenty requests stay below. */
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

/** What waits for parts. */
export const waiting = (title: string, matcher: string): Panel => ofParts(title, 'clew_part_waiting', matcher, 'short');

/** For how long the first has waited. */
export const ages = (title: string, matcher: string): Panel =>
  ofParts(title, 'clew_part_oldest_age_seconds', matcher, 's');

export const givenUp = (title: string, matcher: string): Panel =>
  ofParts(title, 'clew_part_given_up', matcher, 'short');

function ofParts(title: string, metric: string, matcher: string, unit: Panel['unit']): Panel {
  return { title, unit, queries: [{ expr: once(metric, matcher), legend: '{{service}} {{part}}' }] };
}

/** One figure of each pod. */
export function ofPods(title: string, unit: Panel['unit'], metric: string, matcher = ''): Panel {
  return { title, unit, queries: [{ expr: `max by (service, pod) (${metric}{${matcher}})`, legend: '{{pod}}' }] };
}

const WORK = 'clew_work_duration_seconds';

/** Pieces of work (messages, batches of them, groups of due rows): how many end, how, and how long they take. */
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

/** The share of look-ups in the caches of processes that found something. */
export function hitRatio(matcher: string): string {
  const lookups = (more: string) => `sum by (cache) (rate(clew_cache_lookups_total{${matcher}${more}}${WINDOW}))`;
  return `${lookups(',result="hit"')} / ${lookups('')}`;
}
