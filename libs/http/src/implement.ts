import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Logger } from '@clew/runtime';
import { notFound, type IdempotencyStore, type IdempotentAttempt, type IdempotentReply } from '@clew/kernel';
import { isStreamed, STREAMED, type RouteInput, type RouteOutput, type RouteSpec } from '@clew/contracts';
import { authorize } from './authorize.ts';
import { wereEventsBrokenOff } from './broken-off-events.ts';
import type { Authenticate, Caller, RequestContext } from './caller.ts';
import { requireSameBody } from './body-mark.ts';
import { beginIdempotent, heldWhile, noted, REPLAYED_HEADER, type NotedAttempt } from './idempotency.ts';
import { withDeclaredErrors } from './declared-errors.ts';
import { readJsonBody } from './json-body.ts';
import { invalid, parsePart } from './validate.ts';

export type RouteHandler<Spec extends RouteSpec> = (
  input: RouteInput<Spec>,
  context: RequestContext,
) => Promise<RouteOutput<Spec>>;

/**
 * Builds the answer to a repeated request from the recorded first answer, for parts of it that depend on the moment and
 * not on the request.
 */
export type ReplayHandler<Spec extends RouteSpec> = (
  kept: RouteOutput<Spec>,
  context: RequestContext,
) => Promise<RouteOutput<Spec>>;

/** Route spec with its handler. */
export interface Route {
  readonly spec: RouteSpec;
  readonly handler: (input: never, context: RequestContext) => Promise<AnyOutput>;
  readonly replay?: (kept: never, context: RequestContext) => Promise<AnyOutput>;
}

type AnyOutput = JsonOutput | typeof STREAMED;

function wasStreamed(output: AnyOutput): output is typeof STREAMED {
  return output === STREAMED;
}

interface JsonOutput {
  status: number;
  body: unknown;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Ties a handler to its spec, with the types that the spec declares. Without `replay`, a repeat (`Idempotency-Key`)
 * gets the first answer unchanged.
 */
export function route<Spec extends RouteSpec>(
  spec: Spec,
  handler: RouteHandler<Spec>,
  { replay }: { replay?: ReplayHandler<Spec> } = {},
): Route {
  return {
    spec,
    handler: handler as unknown as Route['handler'],
    ...(replay === undefined ? {} : { replay: replay as unknown as NonNullable<Route['replay']> }),
  };
}

/** Builds the result of a handler; keeps the status a literal, so that it is checked against the spec. */
export function answer<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
) {
  return { status, body, headers };
}

export interface MountOptions {
  authenticate: Authenticate;
  logger: Logger;
  /** Maximum JSON body in bytes for each class whose body is read whole. */
  maxBodyBytes: Readonly<Record<'json' | 'batch', number>>;
  /** Whether answers are checked against their schemas: for tests, where a wrong answer should fail loudly. */
  checkResponses: boolean;
  /** Store for routes that honor an `Idempotency-Key`. */
  idempotency?: IdempotencyStore | undefined;
}

/** Creates the Express handler of a route: authenticate, authorize, parse, call, answer. */
export function mountable(entry: Route, options: MountOptions): RequestHandler {
  const { spec } = entry;
  if (spec.idempotent === true && options.idempotency === undefined) {
    throw new Error(`${spec.operationId} is idempotent, and there is no store for its answers`);
  }
  const serve: RequestHandler = async (request, response) => {
    response.locals.route = spec.path;
    response.locals.errorFormat = spec.errorFormat;
    const caller = await options.authenticate(request);
    authorize(spec.access, caller, projectIdOf(request));
    const { input, sentBody } = await parseInput(spec, request, options);
    const begun =
      spec.idempotent === true && options.idempotency !== undefined
        ? await beginIdempotent(options.idempotency, request, caller, sentBody)
        : undefined;
    const attempt = begun !== undefined && 'attempt' in begun ? noted(begun.attempt) : undefined;
    const context = contextOf(request, response, { caller, attempt, logger: options.logger });
    const output =
      begun !== undefined && 'reply' in begun
        ? await replayed(entry, begun.reply, context, options)
        : await finish(attempt, entry.handler(input as never, context));
    if (options.checkResponses) checkAnswer(spec, output, { response, attempt });
    if (!wasStreamed(output)) send(response, output);
  };
  if (!options.checkResponses) return serve;
  return (request, response, next) => withDeclaredErrors(spec, async () => serve(request, response, next));
}

async function replayed(
  { replay }: Route,
  reply: IdempotentReply,
  context: RequestContext,
  { idempotency }: Pick<MountOptions, 'idempotency'>,
): Promise<AnyOutput> {
  if (reply.bodyMark !== undefined && idempotency !== undefined) {
    await requireSameBody(context.request, reply.bodyMark, idempotency.fingerprintOf);
  }
  const output = replay === undefined ? reply : await replay(reply as never, context);
  if (wasStreamed(output)) throw new Error('What was streamed cannot be given again');
  return { ...output, headers: { ...output.headers, [REPLAYED_HEADER]: 'true' } };
}

/**
 * Finishes an attempt. A failed one has committed nothing, or its reply together with its effect; in that case nothing
 * is left to release.
 */
async function finish(attempt: IdempotentAttempt | undefined, output: Promise<AnyOutput>): Promise<AnyOutput> {
  try {
    return await (attempt === undefined ? output : heldWhile(attempt, output));
  } catch (error) {
    // A lease that cannot be released expires by itself; the caller must learn of the original error first.
    await attempt?.release().catch(() => undefined);
    throw error;
  }
}

/** Creates the logger and the signal lazily, only for the handlers that use them. */
function contextOf(
  request: Request,
  response: Response,
  { caller, attempt, logger }: { caller: Caller | undefined; attempt: IdempotentAttempt | undefined; logger: Logger },
): RequestContext {
  const requestId = response.locals.requestId as string;
  let requestLogger: Logger | undefined;
  let signal: AbortSignal | undefined;
  return {
    requestId,
    caller,
    request,
    response,
    attempt,
    get logger() {
      return (requestLogger ??= logger.child({ requestId }));
    },
    get signal() {
      return (signal ??= abortSignalOf(response));
    },
  };
}

function projectIdOf(request: Request): string | undefined {
  const { projectId } = request.params;
  return typeof projectId === 'string' ? projectId : undefined;
}

async function parseInput(spec: RouteSpec, request: Request, options: MountOptions) {
  const params = spec.params === undefined ? {} : parseParams(spec, request);
  const query = parseQuery(spec, request);
  const sentBody = spec.body === undefined ? undefined : await readSentBody(spec, request, options);
  const verbatim = spec.verbatimMessages ?? [];
  const body = spec.body === undefined ? undefined : parsePart('body', spec.body, sentBody, { verbatim });
  return { input: { params, query, body }, sentBody };
}

/** Parses path parameters; an impossible id gets the same answer as an unknown one. */
function parseParams(spec: RouteSpec, request: Request): unknown {
  const result = spec.params?.safeParse(request.params);
  if (result?.success !== true) throw notFound();
  return result.data;
}

/** Query schema of a route that takes no query. */
const NO_QUERY = z.strictObject({});

function parseQuery(spec: RouteSpec, request: Request): unknown {
  const { query: schema = NO_QUERY, invalidQueryCode: code = 'VALIDATION_FAILED' } = spec;
  const questionMark = request.url.indexOf('?');
  const given = new URLSearchParams(questionMark === -1 ? '' : request.url.slice(questionMark + 1));
  // No prototype, so that a parameter named `__proto__` is one like any other.
  const values = Object.create(null) as Record<string, string>;
  for (const [name, value] of given) {
    // A repeated parameter is rejected, because its meaning would be a guess.
    if (name in values && spec.takesAnyQuery === true) continue;
    if (name in values) throw invalid(code, [{ path: `query.${name}`, message: 'is given twice' }]);
    values[name] = value;
  }
  return parsePart('query', schema, values, { code });
}

function readSentBody(spec: RouteSpec, request: Request, options: MountOptions): Promise<unknown> {
  const ofClass = options.maxBodyBytes[spec.routeClass === 'batch' ? 'batch' : 'json'];
  return readJsonBody(request, Math.min(ofClass, spec.maxBodyBytes ?? ofClass));
}

function abortSignalOf(response: Response): AbortSignal {
  if (response.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished || wereEventsBrokenOff(response)) controller.abort();
  });
  return controller.signal;
}

interface Answered {
  response: Response;
  attempt: NotedAttempt | undefined;
}

/** Checks an answer against its spec. */
function checkAnswer(spec: RouteSpec, output: AnyOutput, { response, attempt }: Answered): void {
  const status = wasStreamed(output) ? response.statusCode : output.status;
  const declared = spec.responses[status];
  const refuse = (problem: string) => new Error(`${spec.operationId} ${problem}`);
  if (wasStreamed(output)) {
    if (!response.headersSent) throw refuse('says that it streamed, and wrote nothing');
    return;
  }
  if (declared === undefined) throw refuse(`does not declare ${status}`);
  if (status === 201 && output.headers?.['location'] === undefined)
    throw refuse('made something, and does not say where');
  // A request that was not recorded would take effect twice if repeated.
  if (attempt?.isRecorded() === false) throw refuse('succeeded without recording its answer');
  const schema = isStreamed(declared) ? declared.content['application/json'] : declared;
  const problem = schema?.safeParse(output.body).error;
  if (problem !== undefined) throw refuse(`answered against its schema: ${problem.message}`);
}

function send(response: Response, output: JsonOutput): void {
  response.status(output.status);
  for (const [name, value] of Object.entries(output.headers ?? {})) response.setHeader(name, value);
  if (output.body === null) response.end();
  else response.json(output.body);
}
