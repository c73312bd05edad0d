import { callOperation } from './calls/call-operation.ts';
import type { ApiCall } from './calls/api-call.ts';
import { ClewError, PreconditionFailedError } from './errors.ts';
import type { Answer } from './http/send.ts';
import { settingsOf, type Settings } from './http/settings.ts';
import { isOperation, type Operation, type ResourceTable } from './operation.ts';
import type { CallOptions, ClewOptions } from './options.ts';
import type { MethodsOf } from './resource.ts';

/** Request to any path of the API, for what has no method. */
export interface RawRequest extends CallOptions {
  query?: Readonly<Record<string, unknown>> | undefined;
  body?: unknown;
}

const MAX_EDITS = 5;

/** Abilities of every client, whatever its resources. */
export interface ClientBase {
  /** Project of calls that name none. */
  readonly project: string | undefined;
  /** Address of the gateway. */
  readonly baseUrl: string;
  /** Sends a request to a path, `/v1/me`, with the same retries and errors as every method. */
  request(method: Operation['method'], path: string, request?: RawRequest): ApiCall<unknown>;
  /**
   * Changes a thing that others may change too: reads it, and makes the change under its entity tag; reads again when it
   * has changed in between, up to five times.
   */
  edit<T, R>(read: () => ApiCall<T>, change: (current: T, options: { ifMatch: string }) => Promise<R>): Promise<R>;
  /** Returns the settings of the official OpenAI client, whose calls then run on Clew and are recorded. */
  openai(): OpenAiSettings;
}

export interface OpenAiSettings {
  baseURL: string;
  apiKey: string | (() => Promise<string>);
  defaultHeaders: Record<string, string>;
}

/** Makes a client with some resources: `createClient({ baseUrl, apiKey }, { findings })`. */
export function createClient<const Resources extends Readonly<Record<string, ResourceTable>>>(
  options: ClewOptions,
  resources: Resources,
): ClientBase & MethodsOf<Resources> {
  const settings = settingsOf(options);
  return { ...baseOf(settings), ...(methodsOf(settings, resources) as MethodsOf<Resources>) };
}

function methodsOf(settings: Settings, table: ResourceTable): object {
  const entries = Object.entries(table).map(([name, entry]) => [
    name,
    isOperation(entry) ? (...args: unknown[]) => callOperation(settings, entry, args) : methodsOf(settings, entry),
  ]);
  return Object.fromEntries(entries) as object;
}

function baseOf(settings: Settings): ClientBase {
  return {
    project: settings.project,
    baseUrl: settings.baseUrl,
    request(method, path, { query, body, ...options } = {}) {
      if (!path.startsWith('/')) throw new ClewError('The path must begin with a slash');
      const operation: Operation = { method, path: '', ...(body === undefined ? {} : { body: true }) };
      const target = { ...settings, baseUrl: `${settings.baseUrl}${path}` };
      const params = { ...query, ...options };
      return callOperation(target, operation, body === undefined ? [params] : [body, params]) as ApiCall<unknown>;
    },
    edit: (read, change) => edit(() => read().withResponse(), change),
    openai: () => openAiSettings(settings),
  };
}

function openAiSettings({ apiKey, project, baseUrl }: Settings): OpenAiSettings {
  if (apiKey === undefined) throw new ClewError('Models are called with a key: give an apiKey, or set CLEW_API_KEY');
  return {
    baseURL: `${baseUrl}/v1`,
    apiKey: typeof apiKey === 'string' ? apiKey : async () => await apiKey(),
    defaultHeaders: project === undefined ? {} : { 'x-clew-project': project },
  };
}

async function edit<T, R>(
  read: () => Promise<Answer<T>>,
  change: (current: T, options: { ifMatch: string }) => Promise<R>,
): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    const { data, etag } = await read();
    if (etag === undefined) throw new ClewError('What is read has no entity tag, so a change cannot be tied to it');
    try {
      return await change(data, { ifMatch: etag });
    } catch (error) {
      if (!(error instanceof PreconditionFailedError) || attempt >= MAX_EDITS) throw error;
    }
  }
}
