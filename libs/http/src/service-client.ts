import type { z } from 'zod';
import { AppError, comeBackLater, ERROR_STATUS, type ErrorCode } from '@clew/kernel';
import { isStreamed, type RouteSpec, type ServiceName, type StreamedBody } from '@clew/contracts';
import { linesOfAnswer, type LineOptions } from './answer-lines.ts';
import type { IdentitySigner } from './identity/signer.ts';
import { IDENTITY_HEADER, SERVICE_REQUEST_ID_HEADER } from './identity/token.ts';
import { isSuccess, tracedRequest, type OutgoingRequest, type ServiceAnswer } from './traced-request.ts';

export interface ServiceClientOptions {
  baseUrl: string;
  /** Process that calls, in its own name. */
  serviceName: ServiceName;
  sign: IdentitySigner;
  /** Time limit for an answer, or for each further part of an answer in lines; 30,000 by default. */
  timeoutMs?: number;
}

export interface ServiceCall<Spec extends RouteSpec> {
  params: Spec['params'] extends z.ZodType ? z.input<Spec['params']> : Record<string, never>;
  query?: Spec['query'] extends z.ZodType ? z.input<Spec['query']> : never;
  body?: Spec['body'] extends z.ZodType ? z.input<Spec['body']> : never;
  requestId?: string;
}

/** Client for internal routes of another service, based on their specs. */
export interface ServiceClient {
  /** Returns the body of the answer; throws the AppError that the service answered, or UPSTREAM_UNAVAILABLE. */
  call<Spec extends RouteSpec>(spec: Spec, call: ServiceCall<Spec>): Promise<SuccessBody<Spec>>;
  /** Calls like `call`, but returns the raw JSON bytes: for a large answer that another component parses. */
  json<Spec extends RouteSpec>(spec: Spec, call: ServiceCall<Spec>): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads the lines of a streamed answer (`application/x-ndjson`) as they are consumed; same errors. */
  lines<Spec extends RouteSpec>(
    spec: Spec,
    call: ServiceCall<Spec>,
    options?: LineOptions & { signal?: AbortSignal },
  ): AsyncGenerator<LineOf<Spec>>;
}

type SuccessSchema<Spec extends RouteSpec> = Extract<
  Spec['responses'][keyof Spec['responses'] & (200 | 201 | 202)],
  z.ZodType
>;
export type SuccessBody<Spec extends RouteSpec> = z.output<SuccessSchema<Spec>>;

const NDJSON = 'application/x-ndjson';

type LineSchema<Spec extends RouteSpec> =
  Spec['responses'][200 & keyof Spec['responses']] extends StreamedBody<infer Content>
    ? Content extends { [NDJSON]: infer Schema extends z.ZodType }
      ? Schema
      : never
    : never;
export type LineOf<Spec extends RouteSpec> = z.output<LineSchema<Spec>>;

const DEFAULT_TIMEOUT_MS = 30_000;

export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const { serviceName } = options;
  const identity = ({ service }: RouteSpec) =>
    options.sign(service, serviceName, { principal: { kind: 'service', id: serviceName } });
  return {
    async call(spec, call) {
      const request = requestOf(spec, call, identity(spec), AbortSignal.timeout(timeoutMs));
      const response = await send(options.baseUrl, request);
      const body = await jsonOf(response);
      if (!isSuccess(response)) throw answeredError(response.statusCode, body);
      const schema = spec.responses[response.statusCode];
      if (schema === undefined || schema === null || isStreamed(schema))
        throw unavailable(new Error(`unexpected ${response.statusCode}`));
      return schema.parse(body) as never;
    },

    async json(spec, call) {
      const response = await send(
        options.baseUrl,
        requestOf(spec, call, identity(spec), AbortSignal.timeout(timeoutMs)),
      );
      if (!isSuccess(response)) throw answeredError(response.statusCode, await jsonOf(response));
      try {
        return new Uint8Array(await response.body.arrayBuffer());
      } catch (error) {
        throw unavailable(error);
      }
    },

    async *lines(spec, call, { signal, ...lineOptions } = {}) {
      const late = new AbortController();
      const watch = { forNext: <T>(awaited: Promise<T>) => within(awaited, timeoutMs, late) };
      const ended = AbortSignal.any([late.signal, ...(signal === undefined ? [] : [signal])]);
      const response = await watch.forNext(send(options.baseUrl, requestOf(spec, call, identity(spec), ended)));
      if (!isSuccess(response)) throw answeredError(response.statusCode, await watch.forNext(jsonOf(response)));
      const declared = spec.responses[response.statusCode];
      const schema = isStreamed(declared) ? declared.content[NDJSON] : undefined;
      if (schema == null) {
        response.body.destroy();
        throw unavailable(new Error(`unexpected ${response.statusCode}`));
      }
      yield* linesOfAnswer(response.body, schema, watch, lineOptions) as AsyncGenerator<never>;
    },
  };
}

interface AddressedRequest {
  path: string;
  query: Record<string, unknown>;
  outgoing: OutgoingRequest;
}

function requestOf<Spec extends RouteSpec>(
  spec: Spec,
  call: ServiceCall<Spec>,
  identity: string,
  signal: AbortSignal,
): AddressedRequest {
  return {
    path: spec.path.replace(/:(\w+)/g, (_match, name: string) =>
      encodeURIComponent(String((call.params as Record<string, unknown>)[name])),
    ),
    query: (call.query as Record<string, unknown> | undefined) ?? {},
    outgoing: {
      method: spec.method.toUpperCase(),
      headers: {
        [IDENTITY_HEADER]: identity,
        ...(call.requestId === undefined ? {} : { [SERVICE_REQUEST_ID_HEADER]: call.requestId }),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal,
    },
  };
}

async function send(baseUrl: string, { path, query, outgoing }: AddressedRequest): Promise<ServiceAnswer> {
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  try {
    return await tracedRequest(url, outgoing);
  } catch (error) {
    throw unavailable(error);
  }
}

async function jsonOf({ body }: ServiceAnswer): Promise<unknown> {
  try {
    return await body.json();
  } catch (error) {
    throw unavailable(error);
  }
}

/** Waits for the other service; aborts the request if that takes too long. */
async function within<T>(awaited: Promise<T>, timeoutMs: number, late: AbortController): Promise<T> {
  const timer = setTimeout(() => late.abort(new Error(`nothing came within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await awaited;
  } catch (error) {
    throw error instanceof AppError ? error : unavailable(error);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the error that the other service sent, if it is one of our codes. */
function answeredError(status: number, body: unknown): AppError {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code in ERROR_STATUS && ERROR_STATUS[code as ErrorCode] === status && status < 500) {
    return new AppError(code as ErrorCode, String(message));
  }
  return unavailable(new Error(`the service answered ${status}`));
}

function unavailable(cause: unknown): AppError {
  return comeBackLater('UPSTREAM_UNAVAILABLE', 'A service that this needs is not available', 1_000, cause);
}
