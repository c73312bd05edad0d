import type { RouteSpec } from '@clew/contracts';
import { code, table } from './tables.ts';
import { variablesOf } from './variables.ts';
import type { AppFacts } from './apps.ts';

/** Generated sections: a README may have them between `<!-- generated: <name> -->` and `<!-- /generated -->`. */
export const SECTIONS: Readonly<Record<string, (app: AppFacts, routes: readonly RouteSpec[]) => string>> = {
  configuration,
  routes: publicRoutes,
  'internal routes': internalRoutes,
  'forwarded routes': forwardedRoutes,
};

/** Service that answers a route. */
export function ownerOf(spec: RouteSpec): string {
  return spec.service;
}

function configuration(app: AppFacts): string {
  const rows = variablesOf(app).map((variable) => [code(variable.name), variable.default, variable.description]);
  return table(['variable', 'default', ''], rows);
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Routes by path; reading methods come before changing ones. */
function ownRoutes(app: AppFacts, routes: readonly RouteSpec[]): RouteSpec[] {
  return routes
    .filter((spec) => ownerOf(spec) === app.name)
    .sort((a, b) => order(a.path, b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
}

function publicRoutes(app: AppFacts, routes: readonly RouteSpec[]): string {
  const rows = ownRoutes(app, routes).flatMap((spec) => {
    if (spec.access.kind === 'public') return [[nameOf(spec), spec.summary, 'no key', '']];
    if (spec.access.kind !== 'caller') return [];
    const { scopes, permissions, anyPerson } = spec.access;
    const ofPeople = anyPerson === true ? 'every person' : anyOf(permissions);
    return [[nameOf(spec), spec.summary, scopes.length === 0 ? 'none' : anyOf(scopes), ofPeople]];
  });
  return table(['route', '', 'scope', 'permission'], rows);
}

function internalRoutes(app: AppFacts, routes: readonly RouteSpec[]): string {
  const rows = ownRoutes(app, routes).flatMap((spec) =>
    spec.access.kind === 'internal' ? [[nameOf(spec), spec.summary, anyOf(spec.access.services)]] : [],
  );
  return table(['route', '', 'for'], rows);
}

/** Routes that the gateway forwards, grouped by service and class of limits. */
function forwardedRoutes(_app: AppFacts, routes: readonly RouteSpec[]): string {
  const forwarded = routes.filter((spec) => spec.access.kind !== 'internal' && ownerOf(spec) !== 'gateway');
  const groups = Map.groupBy(forwarded, (spec) => `${ownerOf(spec)} ${spec.routeClass ?? 'json'}`);
  const rows = [...groups].map(([group, specs]) => {
    const [service = '', routeClass = ''] = group.split(' ');
    const paths = specs.map((spec) => (routeClass === 'json' ? areaOf(spec.path) : spec.path));
    return [[...new Set(paths)].map(code).join(', '), code(service), code(routeClass)];
  });
  return table(
    ['route', 'service', 'class'],
    rows.toSorted(([, a = '', x = ''], [, b = '', y = '']) => order(a + x, b + y)),
  );
}

const PROJECT = '/v1/projects/:projectId/';

/** Shortens a path to its first segment after the project, which stands for all paths below it. */
function areaOf(path: string): string {
  if (!path.startsWith(PROJECT)) return path;
  return `${PROJECT}${path.slice(PROJECT.length).split('/', 1)[0] ?? ''}`;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function nameOf({ method, path }: RouteSpec): string {
  return code(`${method.toUpperCase()} ${path}`);
}

function anyOf(names: readonly string[]): string {
  return names.length > 8 ? 'any' : names.map(code).join(' or ');
}
