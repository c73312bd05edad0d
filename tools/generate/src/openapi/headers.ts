import type { oas31 } from 'zod-openapi';

type Headers = Record<string, oas31.HeaderObject | oas31.ReferenceObject>;

/** Headers of many answers, by the names under which the document refers to them. */
export const SHARED_HEADERS = {
  RequestId: header('Names the request in every log', { isRequired: true }),
  RetryAfter: header('Seconds after which to try again', { type: 'integer' }),
  RateLimitLimit: header('Requests that the key may make in a window', { type: 'integer' }),
  RateLimitRemaining: header('Requests that are left of it', { type: 'integer' }),
  RateLimitReset: header('Seconds until the next window', { type: 'integer' }),
  ETag: header('Names what the resource is now; strong', { isRequired: true }),
  Location: header('Where what was made can be read', { isRequired: true }),
  IdempotentReplayed: header('`true` where this is the first answer to an earlier request with the same key'),
} as const satisfies Headers;

export function header(description: string, { type = 'string', isRequired = false } = {}): oas31.HeaderObject {
  return {
    description,
    ...(isRequired ? { required: true } : {}),
    schema: { type: type as 'string' | 'integer' },
  };
}

/** Reference to a shared header. */
export function shared(name: keyof typeof SHARED_HEADERS): oas31.ReferenceObject {
  return { $ref: `#/components/headers/${name}` };
}
