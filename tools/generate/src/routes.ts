import * as contracts from '@clew/contracts';
import type { RouteSpec } from '@clew/contracts';

/** The public routes that the contracts declare, by path and method. */
export function publicRoutes(): RouteSpec[] {
  const exported: unknown[] = Object.values(contracts);
  return exported
    .filter(isRouteSpec)
    .filter(({ access }) => access.kind !== 'internal')
    .sort((a, b) => compare(a.path, b.path) || compare(a.method, b.method));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isRouteSpec(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'responses' in value;
}
