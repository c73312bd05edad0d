import { AppError, hasControlCharacter, notFound } from '@clew/kernel';
import {
  deleteProject,
  isStreamed,
  isForKeysAlone,
  listenToChanges,
  type CalledService,
  type RouteClass,
  type RouteSpec,
} from '@clew/contracts';
import { publicRoutes } from '@clew/contracts/all-routes';
import { isPagePath } from '../pages/page-paths.ts';
import { createPathTree } from './path-tree.ts';

export type UpstreamName = CalledService;

/** Bodies that a program sends, and that no cookie of a browser stands for. */
const PROGRAMS_CLASSES: ReadonlySet<RouteClass> = new Set(['otlp', 'inference']);

/**
 * Tells whether a session may call a route: telemetry and models are for programs, a trial of a model is not, and a key
 * ends itself.
 */
export function takesCookie(route: GatewayRoute): boolean {
  if (route.kind === 'own') return route.isForKeys !== true;
  return route.kind !== 'proxied' || !(route.errorFormat === 'openai' || PROGRAMS_CLASSES.has(route.routeClass));
}

/** Route that leads to a service. If the path names no project, the caller's is used. */
export interface ProxiedRoute {
  upstream: UpstreamName;
  routeClass: RouteClass;
  projectId: string | undefined;
  /** True if a caller that accepts `text/event-stream` gets events for as long as it listens. */
  hasEvents?: true;
  /** `openai` means that errors have the body that clients of the OpenAI API read. */
  errorFormat?: 'openai';
  /** True for a route without a key, whose service verifies each request by other means. */
  isOpen?: true;
}

/** Route that the gateway answers itself, for the project in the path if it names one. */
interface OwnRoute {
  kind: 'own';
  projectId: string | undefined;
  /**
   * True for routes that concern the workspace: the deletion of a project is answered also when the project is gone.
   */
  isOfWorkspace?: true;
  /** True for the stream of changes, which lasts for as long as the caller listens and has limits of its own. */
  isListening?: true;
  /** True for routes that are about a key and not about a person. */
  isForKeys?: true;
}

/** Route of the gateway's own that needs no credential: sign-in, and the pages for it. */
interface OpenRoute {
  kind: 'open';
  /** True if only pages of this deployment may change something by it. */
  sameOrigin?: true;
  /** True for a page, whose errors are pages, too. */
  isPage?: true;
}

/** Path that neither the API nor a page has: one of the Workbench, where that is served. */
interface WorkbenchRoute {
  kind: 'workbench';
}

export type GatewayRoute =
  ({ kind: 'proxied' } & ProxiedRoute) | OwnRoute | OpenRoute | WorkbenchRoute | { kind: 'public' };

export const EVENT_STREAM = 'text/event-stream';

const PUBLIC_PATHS = new Set(['/healthz', '/readyz', '/openapi.json', '/docs']);
const PUBLIC_FOLDER = '/docs/';
/** First segments of what the gateway itself answers; nothing else below them is anybody's. */
const OWN_FOLDERS = new Set(['v1', 'docs', 'openapi.json', 'healthz', 'readyz', 'metrics']);
const PAGE: OpenRoute = { kind: 'open', sameOrigin: true, isPage: true };

/** Specs of all public routes; each spec names the service that answers it. */
const ROUTES = createPathTree(publicRoutes());

/**
 * Ids of the routes that answer with events if the caller asks for them; for model calls, the body asks for a stream.
 */
const WITH_EVENTS: ReadonlySet<string> = new Set(
  publicRoutes()
    .filter(
      ({ method, responses }) =>
        method === 'get' && isStreamed(responses[200]) && EVENT_STREAM in responses[200].content,
    )
    .map(({ operationId }) => operationId),
);

/**
 * Service for each `/v1/projects/:projectId/<area>`, used for paths that no spec here has. The route may be newer than
 * this gateway or may not exist; the service decides which.
 */
const SERVICE_OF_AREA = servicesOfAreas(publicRoutes());

/**
 * Resolves a request to its route; throws NOT_FOUND for a path that cannot belong to anyone. Any other path below `/v1`
 * without a service is the gateway's own, which answers 404 to callers that may ask.
 */
export function resolveRoute(method: string | undefined, path: string): GatewayRoute {
  if (PUBLIC_PATHS.has(path) || path === PUBLIC_FOLDER) return { kind: 'public' };
  if (path === '/') return PAGE;
  const segments = safeSegments(path);
  if (isPagePath(segments)) return PAGE;
  if (path.startsWith(PUBLIC_FOLDER)) return { kind: 'public' };
  if (!OWN_FOLDERS.has(segments[0] ?? '')) return { kind: 'workbench' };
  if (segments[0] !== 'v1' || segments[1] === undefined) throw notFound();
  const projectId = segments[1] === 'projects' ? segments[2] : undefined;
  const asked = method === 'HEAD' ? 'GET' : (method ?? 'GET');
  const spec = ROUTES.find(asked, segments);
  const service = spec?.service ?? (projectId === undefined ? undefined : SERVICE_OF_AREA.get(segments[3] ?? ''));
  if (spec?.service === 'gateway' && spec.access.kind === 'public') {
    // Another method is answered 405, wherever it comes from.
    const isAsked = spec.method.toUpperCase() === asked;
    return { kind: 'open', ...(spec.sameOrigin === true && isAsked ? { sameOrigin: true } : {}) };
  }
  if (service !== undefined && service !== 'gateway') return proxied({ ...spec, service }, projectId);
  return {
    ...{ kind: 'own', projectId },
    ...(spec?.operationId === deleteProject.operationId ? { isOfWorkspace: true } : {}),
    ...(spec?.operationId === listenToChanges.operationId ? { isListening: true } : {}),
    ...(spec !== undefined && isForKeysAlone(spec) ? { isForKeys: true } : {}),
  };
}

function servicesOfAreas(specs: readonly RouteSpec[]): ReadonlyMap<string, RouteSpec['service']> {
  const services = new Map<string, RouteSpec['service']>();
  const below = specs.map(({ path, service }) => ({ parts: path.split('/').slice(1), service }));
  // The shortest path of an area is its list or its root: the service that answers it answers for the rest of the area.
  below.sort((a, b) => a.parts.length - b.parts.length);
  for (const { parts, service } of below) {
    const [, projects, , area] = parts;
    if (projects === 'projects' && area !== undefined && !services.has(area)) services.set(area, service);
  }
  return services;
}

type Destination = Pick<RouteSpec, 'service' | 'routeClass' | 'errorFormat'> &
  Partial<Pick<RouteSpec, 'operationId' | 'access'>>;

function proxied(
  { service, routeClass = 'json', errorFormat, operationId, access }: Destination,
  projectId: string | undefined,
): GatewayRoute {
  return {
    kind: 'proxied',
    upstream: service as UpstreamName,
    routeClass,
    projectId,
    ...(errorFormat === undefined ? {} : { errorFormat }),
    ...(operationId !== undefined && WITH_EVENTS.has(operationId) ? { hasEvents: true } : {}),
    ...(access?.kind === 'public' ? { isOpen: true } : {}),
  };
}

/**
 * Returns the segments of a path that every hop reads alike. Empty segments, dot segments (also when escaped),
 * backslashes and control characters are refused: a service behind the gateway might resolve them to a path other than
 * the one checked here.
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
