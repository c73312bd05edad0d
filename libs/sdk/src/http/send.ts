import { ApiError, ClewError, ConnectionError, TimeoutError } from '../errors.ts';
import { readError } from './read-answer.ts';
import type { ReadyRequest } from './request.ts';
import { delayMs, mayHaveTakenEffect, mayRepeat } from './retry.ts';
import type { Settings } from './settings.ts';
import { sleep } from './sleep.ts';

/** Answer with what it says beside its body. */
export interface Answer<T> {
  data: T;
  response: Response;
  /** Id of the request in the server's logs. */
  requestId: string | undefined;
  /** Entity tag, for `ifMatch`. */
  etag: string | undefined;
  /** Number of attempts that it took. */
  attempts: number;
}

/** Reads what the caller gets from a response. */
export type Reader<T> = (response: Response) => Promise<T>;

/**
 * Sends a request until it is answered, within its limits.
 *
 * @throws ApiError for an answer that is an error, ConnectionError and TimeoutError for none, or the reason of the
 *   caller's signal
 */
export async function send<T>(settings: Settings, request: ReadyRequest, read: Reader<T>): Promise<Answer<T>> {
  const { maxRetries = settings.maxRetries, timeoutMs = settings.timeoutMs, signal } = request.options;
  const limit = createLimit(timeoutMs, signal);
  let isInDoubt = false;
  try {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { data, response } = await attemptOnce(settings, request, read, limit.signal);
        return answerOf(data, response, attempt + 1);
      } catch (thrown) {
        if (limit.isOver()) throw new TimeoutError(`${request.what}: took longer than ${timeoutMs} ms`);
        signal?.throwIfAborted();
        if (isGoneByDoubt(thrown, request, isInDoubt)) return answerOf(undefined as T, NO_CONTENT(), attempt + 1);
        const waitMs = attempt < maxRetries && mayRepeat(thrown, repetitionOf(request)) && delayMs(thrown, attempt);
        if (typeof waitMs !== 'number') throw thrown;
        isInDoubt ||= mayHaveTakenEffect(thrown);
        settings.logger.warn(`${(thrown as Error).message}; again in ${Math.round(waitMs)} ms`);
        await sleep(waitMs, limit.signal).catch((reason: unknown) => {
          throw limit.isOver() ? new TimeoutError(`${request.what}: took longer than ${timeoutMs} ms`) : reason;
        });
      }
    }
  } finally {
    limit.end();
  }
}

/** Tells whether a removal finds nothing because an attempt of the same call, whose answer was lost, has removed it. */
function isGoneByDoubt(thrown: unknown, { method }: ReadyRequest, isInDoubt: boolean): boolean {
  return isInDoubt && method === 'DELETE' && thrown instanceof ApiError && thrown.status === 404;
}

const NO_CONTENT = () => new Response(null, { status: 204 });

function repetitionOf({ method, isKeyed, options, body }: ReadyRequest) {
  return { method, isKeyed, isConditional: options.ifMatch !== undefined, isRepeatable: body?.isRepeatable !== false };
}

function answerOf<T>(data: T, response: Response, attempts: number): Answer<T> {
  const { headers } = response;
  const requestId = headers.get('x-service-request-id') ?? undefined;
  return { data, response, requestId, etag: headers.get('etag') ?? undefined, attempts };
}

async function attemptOnce<T>(
  settings: Settings,
  request: ReadyRequest,
  read: Reader<T>,
  signal: AbortSignal,
): Promise<{ data: T; response: Response }> {
  const limit = createLimit(request.attemptTimeoutMs, signal);
  const started = Date.now();
  try {
    const key = typeof settings.apiKey === 'function' ? await settings.apiKey() : settings.apiKey;
    const body = request.body?.open();
    const response = await settings.fetch(request.url, {
      method: request.method,
      headers: { ...request.headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      credentials: settings.credentials,
      ...redirectionOf(body),
      signal: limit.signal,
      ...(body === undefined ? {} : { body }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    settings.logger.debug(`${request.what} ${response.status} ${Date.now() - started} ms`);
    refuseRedirect(response, request);
    if (!response.ok && response.status !== 304) throw await readError(response, request.what);
    return { data: await read(response), response };
  } catch (thrown) {
    if (thrown instanceof ClewError) throw thrown;
    if (limit.isOver()) throw new TimeoutError(`${request.what}: no answer within ${request.attemptTimeoutMs} ms`);
    signal.throwIfAborted();
    throw new ConnectionError(`${request.what}: ${describe(thrown)}`, { cause: thrown });
  } finally {
    limit.end();
  }
}

/**
 * Returns what happens on a redirect, which would lose the key or make a GET of a POST: the caller is told of the right
 * address. A file is refused without it, since Node's fetch keeps all of a body that it might have to send elsewhere,
 * unless it never would.
 */
function redirectionOf(body: unknown): object {
  const isFile = body instanceof ReadableStream || body instanceof Blob;
  return isFile ? { redirect: 'error', window: null } : { redirect: 'manual' };
}

function refuseRedirect({ status, type, headers }: Response, { what }: ReadyRequest): void {
  if (type !== 'opaqueredirect' && (status < 300 || status > 399 || status === 304)) return;
  const place = headers.get('location');
  throw new ClewError(
    `${what}: the address redirects${place === null ? '' : ` to ${place}`}; set baseUrl to the right one`,
  );
}

/** Describes a failed connection; the reason of Node's fetch is in its cause. */
function describe(thrown: unknown): string {
  const cause = (thrown as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (thrown as Error).message;
}

/** Signal that is aborted with another one, and after a time. */
interface Limit {
  signal: AbortSignal;
  isOver(): boolean;
  /** Ends the time; the signal stays bound to the other one, since a stream may still be read under it. */
  end(): void;
}

function createLimit(ms: number | undefined, outer: AbortSignal | undefined): Limit {
  const controller = new AbortController();
  let isOver = false;
  const onTime = () => {
    isOver = true;
    controller.abort();
  };
  const timer = ms === undefined ? undefined : setTimeout(onTime, ms);
  return {
    signal: outer === undefined ? controller.signal : AbortSignal.any([outer, controller.signal]),
    isOver: () => isOver,
    end: () => clearTimeout(timer),
  };
}
