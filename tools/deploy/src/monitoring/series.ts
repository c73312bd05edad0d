import { allRoutes } from '@clew/contracts/all-routes';

/** Consumers are named after their queues, `telemetry-warehouse.spans-received.v1`; no other part has a dot. */
export const OF_QUEUES = 'part=~".+[.]v[0-9]+"';
/** Loops over due rows: what is no queue, and neither of the two that have their own alert. */
export const OF_DUE_ROWS = 'part!~".+[.]v[0-9]+|outbox|retention"';

const LONG_CLASSES = new Set(['inference', 'audio', 'stream', 'batch']);

/** Routes that may take long: what they answer is as large as a caller asks for, or made by a model. */
export function longRoutes(): string[] {
  const paths = allRoutes().flatMap(({ path, routeClass = 'json' }) => (LONG_CLASSES.has(routeClass) ? [path] : []));
  return [...new Set(paths)].toSorted();
}

/** A matcher that leaves routes out. A path holds no character that means something in a pattern but the dot. */
export function withoutRoutes(paths: readonly string[]): string {
  return `route!~"${paths.map((path) => path.replaceAll('.', '[.]')).join('|')}"`;
}

/** Replicas tell the same of a queue or a collection: it counts once. */
export function once(metric: string, matcher: string, when = ''): string {
  return `max by (service, part) (${metric}{${matcher}}${when})`;
}
