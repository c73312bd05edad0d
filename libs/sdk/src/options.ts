/** Receiver of what the SDK does; the console fits. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
}

export interface ClewOptions {
  /** Address of the gateway; `CLEW_URL` by default. */
  baseUrl?: string | undefined;
  /** Key, or what returns one; `CLEW_API_KEY` by default. */
  apiKey?: string | (() => string | Promise<string>) | undefined;
  /** `same-origin`: the session of a signed-in person, in pages of the deployment itself, in place of a key. */
  credentials?: 'same-origin' | undefined;
  /** Project of all calls that name none; `CLEW_PROJECT` by default. */
  project?: string | undefined;
  /** Number of times a failed attempt is repeated; 2 by default. */
  maxRetries?: number | undefined;
  /** Time limit of an attempt, until its answer is read; 60,000 by default, 600,000 where a model answers. */
  attemptTimeoutMs?: number | undefined;
  /** Time limit of a call with all its attempts; none by default. */
  timeoutMs?: number | undefined;
  /** Maximum size of an answer that is read as a whole; 64 MiB by default. */
  maxResponseBytes?: number | undefined;
  logger?: Logger | undefined;
  fetch?: typeof fetch | undefined;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** State of an upload. */
export interface UploadProgress {
  sentBytes: number;
  /** Null if the size is not known beforehand. */
  totalBytes: number | null;
}

/** Options of a single call; they stand beside its query parameters. */
export interface CallOptions {
  project?: string | undefined;
  /** Entity tag: changes the thing only if it is still that version. */
  ifMatch?: string | undefined;
  /** Entity tag: answers nothing if the thing is still that version. */
  ifNoneMatch?: string | undefined;
  /** Key under which the request takes effect once, however often it is sent; made for each call by default. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
  maxRetries?: number | undefined;
  attemptTimeoutMs?: number | undefined;
  timeoutMs?: number | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** Media type of a file that is sent. */
  contentType?: string | undefined;
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

/** Names of the members that are options and not query parameters. */
export const CALL_OPTIONS = [
  'project',
  'ifMatch',
  'ifNoneMatch',
  'idempotencyKey',
  'signal',
  'maxRetries',
  'attemptTimeoutMs',
  'timeoutMs',
  'headers',
  'contentType',
  'onProgress',
] as const satisfies readonly (keyof CallOptions)[];

/** Returns a variable of the environment, where there is one. */
export function fromEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = process?.env?.[name];
  return value === '' ? undefined : value;
}
