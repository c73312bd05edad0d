import { ErrorBodySchema, errorsOf, OpenAiErrorSchema, passesOnAnswers, type RouteSpec } from '@clew/contracts';
import { ERROR_STATUS, type ErrorCode } from '@clew/kernel';
import type { oas31, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { shared } from './headers.ts';

/** Name and general meaning of each error status; routes refer to the response by this name. */
const MEANINGS: Readonly<Record<number, readonly [name: string, meaning: string]>> = {
  400: ['BadRequest', 'The request is malformed or not valid; `details` names each field that is wrong'],
  401: ['Unauthenticated', 'There is no key or session, or it is unknown, expired or revoked'],
  403: [
    'Forbidden',
    'The key lacks the scope, or the person the permission, that this needs: each that would do is in `details`, as `scope` or `permission`; or a page of another origin asked (`CROSS_ORIGIN`)',
  ],
  404: ['NotFound', 'There is no such thing, or the key does not open its project'],
  408: ['RequestTimeout', 'The body took too long to arrive'],
  409: ['InFlight', 'A request with the same `Idempotency-Key` is under way'],
  412: ['PreconditionFailed', 'It has changed since the version that `If-Match` names'],
  413: ['PayloadTooLarge', 'The body is too large'],
  415: ['UnsupportedMediaType', 'The body has a media type or an encoding that is not taken here'],
  422: ['KeyReused', 'The `Idempotency-Key` stands for another request'],
  429: ['TooManyRequests', 'The key or the person has made too many requests'],
  500: ['InternalError', 'Something went wrong; quote the request id'],
  503: ['Unavailable', 'Something that this needs is not available, or has too much to do'],
  504: ['Timeout', 'Something that this needs did not answer in time'],
};

/** Statuses whose answers may carry `Retry-After`. */
const MAY_RETRY: readonly number[] = [429, 503];

/** Codes of the errors of a route by status, each as its answer spells it. */
export function errorCodesOf(spec: RouteSpec): Record<string, string[]> {
  const byStatus = Map.groupBy(new Set(errorsOf(spec)), (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), codes.map((code) => spelled(spec, code))]),
  );
}

/** Error responses of a route, by status. */
export function errorResponsesOf(spec: RouteSpec): ZodOpenApiResponsesObject {
  const byStatus = Map.groupBy(errorsOf(spec), (code) => ERROR_STATUS[code]);
  const responses: [number | 'default', unknown][] = [...byStatus].map(([status, codes]) => [
    status,
    responseOf(spec, status, codes),
  ]);
  if (passesOnAnswers(spec))
    responses.push(['default', { description: 'What was answered there', content: { '*/*': {} } }]);
  return Object.fromEntries(responses) as ZodOpenApiResponsesObject;
}

function responseOf(spec: RouteSpec, status: number, codes: readonly ErrorCode[]) {
  const own = codes.filter((code) => spec.errors?.includes(code) === true);
  if (own.length === 0) return { $ref: refTo(status, spec.errorFormat) };
  const meaning = own.length < codes.length ? MEANINGS[status]?.[1] : undefined;
  const named = own.map((code) => `\`${spelled(spec, code)}\``).join(', ');
  return errorResponse(status, meaning === undefined ? named : `${named}; ${uncapitalised(meaning)}`, spec.errorFormat);
}

function spelled({ errorFormat }: RouteSpec, code: ErrorCode): string {
  return errorFormat === 'openai' ? code.toLowerCase() : code;
}

/** Shared error responses without further explanation, as far as routes refer to them. */
export function sharedErrors(specs: readonly RouteSpec[]): Record<string, oas31.ResponseObject> {
  const formats = new Set(specs.map(({ errorFormat }) => errorFormat));
  const refs = new Set(
    specs.flatMap((spec) => Object.values(errorResponsesOf(spec)).map(({ $ref }) => $ref as unknown)),
  );
  const all = [...formats].flatMap((format) =>
    Object.entries(MEANINGS).map(([status, [, meaning]]) => [Number(status), meaning, format] as const),
  );
  return Object.fromEntries(
    all
      .filter(([status, , format]) => refs.has(refTo(status, format)))
      .map(([status, meaning, format]) => [nameOf(status, format), errorResponse(status, meaning, format)]),
  ) as Record<string, oas31.ResponseObject>;
}

function errorResponse(
  status: number,
  description: string,
  format: RouteSpec['errorFormat'],
): ZodOpenApiResponseObject {
  return {
    description,
    headers: {
      'x-service-request-id': shared('RequestId'),
      ...(MAY_RETRY.includes(status) ? { 'retry-after': shared('RetryAfter') } : {}),
      ...(status === 429 ? RATE_LIMIT : {}),
      ...(status === 412 ? { etag: shared('ETag') } : {}),
    },
    content: { 'application/json': { schema: format === 'openai' ? OpenAiErrorSchema : ErrorBodySchema } },
  };
}

const RATE_LIMIT = {
  'ratelimit-limit': shared('RateLimitLimit'),
  'ratelimit-remaining': shared('RateLimitRemaining'),
  'ratelimit-reset': shared('RateLimitReset'),
};

function refTo(status: number, format: RouteSpec['errorFormat']): string {
  return `#/components/responses/${nameOf(status, format)}`;
}

function nameOf(status: number, format: RouteSpec['errorFormat']): string {
  const [name] = MEANINGS[status] ?? [`Status${status}`];
  return format === 'openai' ? `OpenAi${name}` : name;
}

function uncapitalised(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
