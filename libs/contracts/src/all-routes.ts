import * as contracts from './index.ts';
import type { RouteSpec } from './route.ts';

/** Lists every route that the contracts export, by path and method. */
export function allRoutes(): RouteSpec[] {
  const exported: unknown[] = Object.values(contracts);
  return exported.filter(isRouteSpec).sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
}

/** Lists the routes that external callers may request. */
export function publicRoutes(): RouteSpec[] {
  return allRoutes().filter(({ access }) => access.kind !== 'internal');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isRouteSpec(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'responses' in value;
}
