import * as contracts from '../index.ts';
import type { RouteSpec } from '../route.ts';

/** Every route that the contracts export, public and internal, by its operation. */
export function declaredRoutes(): RouteSpec[] {
  const exported: unknown[] = Object.values(contracts);
  return exported.filter(isRouteSpec).toSorted((a, b) => (a.operationId < b.operationId ? -1 : 1));
}

function isRouteSpec(value: unknown): value is RouteSpec {
  return typeof value === 'object' && value !== null && 'operationId' in value && 'responses' in value;
}
