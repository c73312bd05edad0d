import { AppError, hasControlCharacter, notFound } from '@clew/kernel';
import { deleteProject, isStreamed, type CalledService, type RouteClass, type RouteSpec } from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { createPathTree } from './path-tree.ts';

export type UpstreamName = CalledService;

/** Where a request goes. A route without a project takes it from the caller. */
export interface ProxiedRoute {
  upstream: UpstreamName;
  routeClass: RouteClass;
  projectId: string | undefined;
  /** A caller that accepts `text/event-stream` is answered with events for as long as it listens. */
  hasEvents?: true;
  /** `openai`: errors have the body that clients of the OpenAI API read. */
  errorFormat?: 'openai';
}

/** The gateway answers it itself, for the project in the path where one is named. */
interface OwnRoute {
  kind: 'own';
  projectId: string | undefined;
  /** The deletion of a project is the workspace's matter: it is answered for one that is gone, too. */
  isOfWorkspace?: true;
}

export type GatewayRoute = ({ kind: 'proxied' } & ProxiedRoute) | OwnRoute | { kind: 'public' };

export const EVENT_STREAM = 'text/event-stream';

const PUBLIC_PATHS = new Set(['/healthz', '/readyz', '/openapi.json', '/docs']);
const PUBLIC_FOLDER = '/docs/';

/** The specs of all public routes; who answers them stands there. */
const ROUTES = createPathTree(publicRoutes());

/** The routes that are read as events where the caller asks for it; calls of models are streams by their body. */
const WITH_EVENTS: ReadonlySet<string> = new Set(
  publicRoutes()
    .filter(
      ({ method, responses }) =>
        method === 'get' && isStreamed(responses[200]) && EVENT_STREAM in responses[200].content,
    )
    .map(({ operationId }) => operationId),
);

/**
 * Who answers below `/v1/projects/:projectId/<area>` what no spec here has: a route that is newer than this gateway, or
 * none, and then it is the service that says so.
 */
const SERVICE_OF_AREA = servicesOfAreas(publicRoutes());

/**
 * Finds out where a request leads; throws NOT_FOUND for a path that can be nobody's. What is nobody's else is the
 * gateway's own, which answers 404 to those who may ask.
 */
export function resolveRoute(method: string | undefined, path: string): GatewayRoute {
  if (PUBLIC_PATHS.has(path) || path === PUBLIC_FOLDER) return { kind: 'public' };
  if (path === '/') throw notFound();
  const segments = safeSegments(path);
  if (path.startsWith(PUBLIC_FOLDER)) return { kind: 'public' };
  if (segments[0] !== 'v1' || segments[1] === undefined) throw notFound();
  const projectId = segments[1] === 'projects' ? segments[2] : undefined;
  const spec = ROUTES.find(method === 'HEAD' ? 'GET' : (method ?? 'GET'), segments);
  const service = spec?.service ?? (projectId === undefined ? undefined : SERVICE_OF_AREA.get(segments[3] ?? ''));
  return service === undefined || service === 'gateway'
    ? { kind: 'own', projectId, ...(spec?.operationId === deleteProject.operationId ? { isOfWorkspace: true } : {}) }
    : proxied({ ...spec, service }, projectId);
}

function servicesOfAreas(specs: readonly RouteSpec[]): ReadonlyMap<string, RouteSpec['service']> {
  const services = new Map<string, RouteSpec['service']>();
  const below = specs.map(({ path, service }) => ({ parts: path.split('/').slice(1), service }));
  // The shortest path of an area is its list, or its home: whoever answers that answers for the rest.
  below.sort((a, b) => a.parts.length - b.parts.length);
  for (const { parts, service } of below) {
    const [, projects, , area] = parts;
    if (projects === 'projects' && area !== undefined && !services.has(area)) services.set(area, service);
  }
  return services;
}

type Destination = Pick<RouteSpec, 'service' | 'routeClass' | 'errorFormat'> & Partial<Pick<RouteSpec, 'operationId'>>;

function proxied(
  { service, routeClass = 'json', errorFormat, operationId }: Destination,
  projectId: string | undefined,
): GatewayRoute {
  return {
    kind: 'proxied',
    upstream: service as UpstreamName,
    routeClass,
    projectId,
    ...(errorFormat === undefined ? {} : { errorFormat }),
    ...(operationId !== undefined && WITH_EVENTS.has(operationId) ? { hasEvents: true } : {}),
  };
}

/**
 * The segments of a path that every hop reads alike. Empty segments, dot segments (also behind escapes), backslashes and
 * control characters are refused, since a service behind might resolve them to another path than the one checked here.
 */
function safeSegments(path: string): string[] {
  if (!path.startsWith('/')) throw malformedPath();
  return path.slice(1).split('/').map(safeSegment);
}

const UNSAFE_SEGMENT = /^$|\\|(?:^|\/)\.{1,2}(?:\/|$)/;

function safeSegment(segment: string): string {
  const decoded = segment.includes('%') ? decodeSegment(segment) : segment;
  if (hasControlCharacter(decoded) || UNSAFE_SEGMENT.test(decoded)) throw malformedPath();
  return decoded;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw malformedPath();
  }
}

function malformedPath(): AppError {
  return new AppError('BAD_REQUEST', 'The path is malformed');
}
