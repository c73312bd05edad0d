import { ClewError, ConnectionError, TimeoutError, ApiError } from '../errors.ts';
import { readJson } from '../http/read-answer.ts';
import { requestOf, type ReadyRequest } from '../http/request.ts';
import { delayMs, LONGEST_RETRY_AFTER_MS } from '../http/retry.ts';
import { send, type Answer } from '../http/send.ts';
import type { Settings } from '../http/settings.ts';
import { sleep } from '../http/sleep.ts';
import { argumentsOf, type Operation } from '../operation.ts';
import type { CallOptions } from '../options.ts';
import { ApiCall } from './api-call.ts';
import { EitherCall } from './either-call.ts';
import { callPages } from './page-call.ts';
import { StreamCall, type OpenStream } from './stream-call.ts';
import { waitFor, type WaitOptions } from './wait.ts';

/** Calls an operation with the arguments of its method, and returns the call that fits its answer. */
export function callOperation(settings: Settings, operation: Operation, args: readonly unknown[]): unknown {
  const { list, cursor = 'nextCursor', stream, either, ended } = operation;
  if (ended !== undefined) return wait(settings, operation, ended, args);
  if (list !== undefined) {
    const read = (after: string | undefined) =>
      sendJson(settings, operation, withQuery(operation, args, { cursor: after }));
    return callPages(read, { list, cursor }, paramsOf(operation, args).cursor);
  }
  const open = () => openStream(settings, operation, either === true ? asStream(operation, args) : args);
  const options = paramsOf(operation, args);
  if (either === true) return new EitherCall(() => sendJson(settings, operation, args), open, options.signal);
  if (stream === undefined) return new ApiCall(sendJson(settings, operation, args));
  return stream === 'events' && operation.method === 'GET'
    ? new ReconnectingCall(open, { maxRetries: settings.maxRetries, ...options })
    : new StreamCall(open, stream, options.signal);
}

async function sendJson(settings: Settings, operation: Operation, args: readonly unknown[]): Promise<Answer<unknown>> {
  const request = requestOf(settings, operation, args);
  request.headers['accept'] ??= 'application/json';
  return await send(settings, request, (response) => readJson(response, settings.maxResponseBytes));
}

async function openStream(settings: Settings, operation: Operation, args: readonly unknown[]) {
  const request: ReadyRequest = requestOf(settings, operation, args);
  if (operation.stream === 'events') request.headers['accept'] ??= 'text/event-stream';
  return await send(settings, request, (response) => Promise.resolve(response.body ?? new Blob([]).stream()));
}

/** Asks for the pieces of an answer: in the body, as the OpenAI API has it, where there is one. */
function asStream(operation: Operation, args: readonly unknown[]): unknown[] {
  const at = argumentsOf(operation.path).length;
  const body = args[at];
  if (operation.body !== true || body instanceof FormData) return [...args];
  // A trial holds the body of the path that it tries.
  const given = body as { body?: object };
  const isTrial = operation.path.endsWith('/trials');
  return args.toSpliced(
    at,
    1,
    isTrial ? { ...given, body: { ...given.body, stream: true } } : { ...given, stream: true },
  );
}

/** Returns arguments with more in the query. */
function withQuery(operation: Operation, args: readonly unknown[], more: Record<string, unknown>): unknown[] {
  const at = argumentsOf(operation.path).length;
  return [...args.slice(0, at), { ...(args[at] as object | undefined), ...more }];
}

/** Returns the last argument: the query and the options. */
function paramsOf({ path, body }: Operation, args: readonly unknown[]): CallOptions & { cursor?: string } {
  return args[argumentsOf(path).length + Number(body === true)] ?? {};
}

async function wait(
  settings: Settings,
  { ended: _, ...operation }: Operation,
  ended: NonNullable<Operation['ended']>,
  args: readonly unknown[],
): Promise<unknown> {
  const at = argumentsOf(operation.path).length;
  const { timeoutMs, onProgress, ...options } = (args[at] ?? {}) as WaitOptions<unknown>;
  const read = async () => (await sendJson(settings, operation, [...args.slice(0, at), options])).data;
  return await waitFor(read, ended, { timeoutMs, onProgress, signal: options.signal });
}

/** Stream of events that is opened again when it is cut, unless the caller wants no retries. */
class ReconnectingCall extends StreamCall<unknown> {
  readonly #options: CallOptions;

  constructor(open: OpenStream, options: CallOptions) {
    super(open, 'events', options.signal);
    this.#options = options;
  }

  override async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void> {
    const { signal, maxRetries } = this.#options;
    for (let failures = 0; ; failures += 1) {
      let failure: unknown;
      try {
        for await (const item of super[Symbol.asyncIterator]()) {
          failures = 0;
          yield item;
        }
      } catch (thrown) {
        failure = thrown;
      }
      signal?.throwIfAborted();
      if (maxRetries === 0 || !mayOpenAgain(failure)) {
        if (failure === undefined) return;
        throw failure;
      }
      await sleep(delayMs(failure, failures) ?? LONGEST_RETRY_AFTER_MS, signal);
    }
  }
}

/** Tells whether a stream that ended so may be there again later. */
function mayOpenAgain(failure: unknown): boolean {
  if (failure instanceof ApiError) return failure.status === 429 || failure.status >= 500;
  return !(failure instanceof ClewError) || failure instanceof ConnectionError || failure instanceof TimeoutError;
}
