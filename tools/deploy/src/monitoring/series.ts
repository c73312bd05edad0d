import { allRoutes } from '@clew/contracts/all-routes';

/**
 * Background tasks that consume queues: they are named after their queue, such as
 * `telemetry-warehouse.spans-received.v1`; no other name contains a dot.
 */
export const OF_QUEUES = 'part=~".+[.]v[0-9]+"';
/** Background tasks that run scheduled tasks: no queues, and not the two tasks that have their own alerts. */
export const OF_DUE_ROWS = 'part!~".+[.]v[0-9]+|outbox|retention"';

const LONG_CLASSES = new Set(['inference', 'audio', 'stream', 'batch']);

/** Routes that may take long: a model makes their answers, or the caller decides how large they are. */
export function longRoutes(): string[] {
  const paths = allRoutes().flatMap(({ path, routeClass = 'json' }) => (LONG_CLASSES.has(routeClass) ? [path] : []));
  return [...new Set(paths)].toSorted();
}

/** Matcher that excludes routes. In a path, only the dot has a special meaning in a pattern. */
export function withoutRoutes(paths: readonly string[]): string {
  return `route!~"${paths.map((path) => path.replaceAll('.', '[.]')).join('|')}"`;
}

/** Counts a queue or a collection only once, although all replicas report it. */
export function once(metric: string, matcher: string, when = ''): string {
  return `max by (service, part) (${metric}{${matcher}}${when})`;
}
