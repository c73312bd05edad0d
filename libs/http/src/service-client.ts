import type { z } from 'zod';
import { AppError, comeBackLater, ERROR_STATUS, type ErrorCode } from '@clew/kernel';
import { isStreamed, type RouteSpec, type ServiceName } from '@clew/contracts';
import type { IdentitySigner } from './identity/signer.ts';
import { IDENTITY_HEADER, SERVICE_REQUEST_ID_HEADER } from './identity/token.ts';

export interface ServiceClientOptions {
  baseUrl: string;
  /** The process that calls, in its own name. */
  serviceName: ServiceName;
  sign: IdentitySigner;
  timeoutMs?: number;
}

export interface ServiceCall<Spec extends RouteSpec> {
  params: Spec['params'] extends z.ZodType ? z.input<Spec['params']> : Record<string, never>;
  query?: Spec['query'] extends z.ZodType ? z.input<Spec['query']> : never;
  body?: Spec['body'] extends z.ZodType ? z.input<Spec['body']> : never;
  requestId?: string;
}

/** Calls an internal route of another service by its spec. */
export interface ServiceClient {
  /** The body of the answer; throws the AppError that the service answered, or UPSTREAM_UNAVAILABLE. */
  call<Spec extends RouteSpec>(spec: Spec, call: ServiceCall<Spec>): Promise<SuccessBody<Spec>>;
}

type SuccessSchema<Spec extends RouteSpec> = Extract<
  Spec['responses'][keyof Spec['responses'] & (200 | 201 | 202)],
  z.ZodType
>;
export type SuccessBody<Spec extends RouteSpec> = z.output<SuccessSchema<Spec>>;

const DEFAULT_TIMEOUT_MS = 30_000;

export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const identity = () => options.sign(options.serviceName, { principal: { kind: 'service', id: options.serviceName } });
  return {
    async call(spec, call) {
      const response = await send(spec, call, options, identity());
      const body: unknown = await response.json().catch((error: unknown) => {
        throw unavailable(error);
      });
      if (!response.ok) throw answeredError(response.status, body);
      const schema = spec.responses[response.status];
      if (schema === undefined || schema === null || isStreamed(schema))
        throw unavailable(new Error(`unexpected ${response.status}`));
      return schema.parse(body) as never;
    },
  };
}

async function send<Spec extends RouteSpec>(
  spec: Spec,
  call: ServiceCall<Spec>,
  options: ServiceClientOptions,
  identity: string,
): Promise<Response> {
  const path = spec.path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String((call.params as Record<string, unknown>)[name])),
  );
  const url = new URL(path, options.baseUrl);
  for (const [name, value] of Object.entries((call.query as Record<string, unknown> | undefined) ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  try {
    return await fetch(url, {
      method: spec.method.toUpperCase(),
      headers: {
        [IDENTITY_HEADER]: identity,
        ...(call.requestId === undefined ? {} : { [SERVICE_REQUEST_ID_HEADER]: call.requestId }),
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      signal: AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    });
  } catch (error) {
    throw unavailable(error);
  }
}

/** The error that the other service meant, where it is one of ours. */
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
