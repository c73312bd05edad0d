import { ClewError } from '../errors.ts';
import { argumentsOf, type Operation } from '../operation.ts';
import { CALL_OPTIONS, type CallOptions } from '../options.ts';
import { encodeBody, type EncodedBody } from '../bodies/encode-body.ts';
import type { Settings } from './settings.ts';

/** Request that is ready to be sent, as often as is needed. */
export interface ReadyRequest {
  method: Operation['method'];
  url: string;
  /** Method and path, for errors and logs. */
  what: string;
  headers: Record<string, string>;
  body: EncodedBody | undefined;
  options: CallOptions;
  isKeyed: boolean;
  attemptTimeoutMs: number | undefined;
}

const ATTEMPT_MS = 60_000;
const SLOW_ATTEMPT_MS = 600_000;
const OPTIONS = new Set<string>(CALL_OPTIONS);

/** Makes the request of a call: values of the path, then the body where there is one, then query and options. */
export function requestOf(settings: Settings, operation: Operation, args: readonly unknown[]): ReadyRequest {
  const names = argumentsOf(operation.path);
  const rest = args.slice(names.length);
  const given = operation.body === true ? rest.shift() : undefined;
  const { query, options } = divided((rest[0] ?? {}) as Record<string, unknown>);
  const path = pathOf(settings, operation, options, Object.fromEntries(names.map((name, at) => [name, args[at]])));
  const body = encodeBody(given, { operation, options, query });
  const key = operation.keyed === true ? (options.idempotencyKey ?? crypto.randomUUID()) : options.idempotencyKey;
  return {
    method: operation.method,
    url: `${settings.baseUrl}${path}${queryOf(query)}`,
    what: `${operation.method} ${path}`,
    headers: {
      ...settings.headers,
      ...(body?.contentType === undefined ? {} : { 'content-type': body.contentType }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(options.ifMatch === undefined ? {} : { 'if-match': options.ifMatch }),
      ...(options.ifNoneMatch === undefined ? {} : { 'if-none-match': options.ifNoneMatch }),
      ...projectHeader(settings, operation, options),
      ...options.headers,
    },
    ...{ body, options, isKeyed: key !== undefined },
    attemptTimeoutMs: attemptTimeoutOf(settings, operation, options),
  };
}

function divided(params: Record<string, unknown>): { query: Record<string, unknown>; options: CallOptions } {
  const entries = Object.entries(params);
  return {
    query: Object.fromEntries(entries.filter(([name]) => !OPTIONS.has(name))),
    options: Object.fromEntries(entries.filter(([name]) => OPTIONS.has(name))),
  };
}

function pathOf(
  settings: Settings,
  operation: Operation,
  { project = settings.project }: CallOptions,
  values: Readonly<Record<string, unknown>>,
): string {
  return operation.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name] ?? (name === 'projectId' ? project : undefined);
    if (name === 'projectId' && value === undefined) throw new ClewError('Name a project, or set CLEW_PROJECT');
    if ((typeof value !== 'string' && typeof value !== 'number') || value === '') {
      throw new ClewError(`${operation.method} ${operation.path} needs a ${name}`);
    }
    return encodeURIComponent(value);
  });
}

/** Returns the query; the values of a list stand with commas between them, as the API takes them. */
function queryOf(query: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(
    Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

function projectHeader(
  settings: Settings,
  operation: Operation,
  { project = settings.project }: CallOptions,
): Record<string, string> {
  return operation.projectHeader === true && project !== undefined ? { 'x-clew-project': project } : {};
}

/** Returns the time limit of an attempt. Files are sent for as long as it takes, unless the caller sets a limit. */
function attemptTimeoutOf(settings: Settings, { slow, file, stream, either }: Operation, options: CallOptions) {
  const given = options.attemptTimeoutMs ?? settings.attemptTimeoutMs;
  if (given !== undefined) return given;
  if (file !== undefined || (stream !== undefined && either !== true)) return undefined;
  return slow === true ? SLOW_ATTEMPT_MS : ATTEMPT_MS;
}
