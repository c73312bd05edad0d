import { AppError, hasControlCharacter, notFound } from '@clew/kernel';
import type { RouteClass } from '@clew/contracts';

export type UpstreamName =
  'telemetry-ingest' | 'telemetry-warehouse' | 'datasets-svc' | 'diagnostics-svc' | 'model-runtime-svc';

/** Where a request goes. A route without a project takes it from the caller. */
export interface ProxiedRoute {
  upstream: UpstreamName;
  routeClass: RouteClass;
  projectId: string | undefined;
  /** `openai`: errors have the body that clients of the OpenAI API read. */
  errorFormat?: 'openai';
}

/** `own`: the gateway answers it itself, for the project in the path where one is named. */
export type GatewayRoute =
  ({ kind: 'proxied' } & ProxiedRoute) | { kind: 'own'; projectId: string | undefined } | { kind: 'public' };

const PUBLIC_PATHS = new Set(['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']);
const PUBLIC_FOLDER = '/docs/';

const OTLP = { upstream: 'telemetry-ingest', routeClass: 'otlp' } as const;
const OPENAI = { upstream: 'model-runtime-svc', errorFormat: 'openai' } as const;
const WITHOUT_PROJECT = new Map<string, Omit<ProxiedRoute, 'projectId'>>([
  ['traces', OTLP],
  ['logs', OTLP],
  ['metrics', OTLP],
  ['models', { ...OPENAI, routeClass: 'json' }],
  ['chat/completions', { ...OPENAI, routeClass: 'inference' }],
  ['completions', { ...OPENAI, routeClass: 'inference' }],
  ['embeddings', { ...OPENAI, routeClass: 'inference' }],
  ['audio/transcriptions', { ...OPENAI, routeClass: 'audio' }],
]);

/** The first path segment after the project, and who answers below it. */
const BY_PROJECT_AREA: ReadonlyMap<string, UpstreamName> = new Map([
  ['conversations', 'telemetry-warehouse'],
  ['traces', 'telemetry-warehouse'],
  ['datasets', 'datasets-svc'],
  ['diagnostics', 'diagnostics-svc'],
  ['models', 'model-runtime-svc'],
]);

/** Finds out where a path leads; throws NOT_FOUND for a path that nobody answers. */
export function resolveRoute(path: string): GatewayRoute {
  if (PUBLIC_PATHS.has(path) || path === PUBLIC_FOLDER) return { kind: 'public' };
  if (path === '/') throw notFound();
  const segments = safeSegments(path);
  if (path.startsWith(PUBLIC_FOLDER)) return { kind: 'public' };
  if (segments[0] !== 'v1' || segments[1] === undefined) throw notFound();
  if (segments[1] === 'projects') return resolveProjectRoute(segments);
  const direct = segments.some((segment) => segment.includes('/'))
    ? undefined
    : WITHOUT_PROJECT.get(segments.slice(1).join('/'));
  if (direct !== undefined) return { kind: 'proxied', ...direct, projectId: undefined };
  return { kind: 'own', projectId: undefined };
}

function resolveProjectRoute(segments: readonly string[]): GatewayRoute {
  const [, , projectId, area, third] = segments;
  const upstream = area === undefined ? undefined : BY_PROJECT_AREA.get(area);
  if (upstream === undefined) return { kind: 'own', projectId };
  if (area === 'conversations' && third === 'import' && segments.length === 5) {
    return { kind: 'proxied', upstream: 'telemetry-ingest', routeClass: 'stream', projectId };
  }
  // A trial carries what the engine takes: recordings too.
  if (area === 'models' && segments.at(-1) === 'trials') {
    return { kind: 'proxied', upstream, routeClass: 'audio', projectId };
  }
  const routeClass = area === 'datasets' ? datasetRouteClass(segments) : 'json';
  return { kind: 'proxied', upstream, routeClass, projectId };
}

/** `/v1/projects/:projectId/datasets/:datasetId/...`: whole files go in and out, and batches in. */
function datasetRouteClass(segments: readonly string[]): RouteClass {
  const [, , , , , part, action] = segments;
  if (segments.length === 6 && (part === 'imports' || part === 'export')) return 'stream';
  return segments.length === 7 && part === 'examples' && action === 'batch' ? 'batch' : 'json';
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
