import { STATUS_CODES } from 'node:http';
import {
  CONVERSATION_ID_HEADER,
  ConversationId,
  honoursIfMatch,
  isForKeysAlone,
  isStreamed,
  takesBody,
  type AccessRule,
  type ResponseSchema,
  type RouteSpec,
} from '@clew/contracts';
import { IDEMPOTENCY_KEY_HEADER, idPattern } from '@clew/kernel';
import { z } from 'zod';
import type {
  oas31,
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import { errorCodesOf, errorResponsesOf } from './error-responses.ts';
import { header, shared } from './headers.ts';
import { streamContentOf } from './item-schemas.ts';

const JSON_MEDIA_TYPE = 'application/json';

/** OpenAPI description of one route. */
export function operationOf(spec: RouteSpec): ZodOpenApiOperationObject {
  return {
    operationId: spec.operationId,
    ...(spec.sdk === undefined ? {} : { 'x-sdk': spec.sdk }),
    tags: [spec.tag],
    summary: spec.summary,
    ...securityOf(spec),
    description: [spec.description, describeAccess(spec.access)].filter((text) => text !== undefined).join('\n\n'),
    requestParams: {
      ...(spec.params === undefined ? {} : { path: spec.params as never }),
      ...(spec.query === undefined ? {} : { query: spec.query as never }),
      header: z.object(requestHeadersOf(spec)),
    },
    ...(takesBody(spec) ? { requestBody: requestBodyOf(spec) } : {}),
    responses: { ...successesOf(spec), ...errorResponsesOf(spec) },
    'x-error-codes': errorCodesOf(spec),
  };
}

const IdempotencyKeyHeader = z
  .string()
  .regex(IDEMPOTENCY_KEY_HEADER)
  .meta({ description: 'A request with the same key takes effect once; its repeat gets the first answer again' });
const NamingKeyHeader = z
  .string()
  .regex(IDEMPOTENCY_KEY_HEADER)
  .meta({ description: 'A request with the same key for the same thing names what the first one made' });
const IfMatchHeader = z
  .string()
  .meta({ description: 'Only if the resource is still what one of these entity tags names; `*`: whatever it is' });
/** Accepts an empty header, which counts as none. */
const ProjectHeader = z
  .string()
  .regex(new RegExp(`^(?:${idPattern('prj').source.slice(1, -1)})?$`))
  .meta({ description: 'The project, where the key is not for just one' });
const ConversationHeader = ConversationId.meta({ description: 'Names the conversation that the call belongs to' });

function requestHeadersOf(spec: RouteSpec): Record<string, z.ZodType> {
  const takesKey = spec.access.kind !== 'public';
  const isWithoutProject = takesKey && spec.service !== 'gateway' && !spec.path.includes('/:projectId');
  return {
    ...(spec.idempotent === true ? { 'Idempotency-Key': IdempotencyKeyHeader.optional() } : {}),
    ...(spec.namedByKey === true ? { 'Idempotency-Key': NamingKeyHeader.optional() } : {}),
    ...(honoursIfMatch(spec) ? { 'If-Match': IfMatchHeader.optional() } : {}),
    ...(isWithoutProject ? { 'x-clew-project': ProjectHeader.optional() } : {}),
    ...(spec.tag === 'Inference' && takesBody(spec) ? { [CONVERSATION_ID_HEADER]: ConversationHeader.optional() } : {}),
  };
}

function requestBodyOf({ body, ownBody = {} }: RouteSpec) {
  if (body !== undefined) {
    return { required: !body.safeParse(undefined).success, content: contentOf({ [JSON_MEDIA_TYPE]: body }) };
  }
  // An empty file is valid too.
  const isFile = Object.values(ownBody).every((schema) => schema === null);
  return { required: !isFile, content: contentOf(ownBody) };
}

/** Content by media type; a type without a schema stands for bytes in that format. */
function contentOf(content: Readonly<Record<string, z.ZodType | null>>): Record<string, ZodOpenApiMediaTypeObject> {
  return Object.fromEntries(Object.entries(content).map(([mediaType, schema]) => [mediaType, mediaTypeOf(schema)]));
}

function mediaTypeOf(schema: z.ZodType | null): ZodOpenApiMediaTypeObject {
  return schema === null ? {} : { schema };
}

function successesOf(spec: RouteSpec) {
  return Object.fromEntries(
    Object.entries(spec.responses).map(([status, schema]) => [status, successOf(spec, Number(status), schema)]),
  );
}

function successOf(spec: RouteSpec, status: number, schema: ResponseSchema): ZodOpenApiResponseObject {
  return {
    description: STATUS_CODES[status] ?? String(status),
    headers: successHeadersOf(spec, status),
    ...(schema === null ? {} : { content: successContentOf(schema) }),
  };
}

function successHeadersOf(spec: RouteSpec, status: number): oas31.HeadersObject {
  const own = Object.entries(spec.responseHeaders ?? {}).map(([name, meaning]) => [name, header(meaning)]);
  return {
    'x-service-request-id': shared('RequestId'),
    ...(status === 201 ? { location: shared('Location') } : {}),
    ...(spec.conditional === true && [200, 201].includes(status) ? { etag: shared('ETag') } : {}),
    ...(spec.idempotent === true ? { 'idempotent-replayed': shared('IdempotentReplayed') } : {}),
    ...(Object.fromEntries(own) as oas31.HeadersObject),
  };
}

function successContentOf(schema: z.ZodType | Extract<ResponseSchema, { streamed: true }>) {
  if (!isStreamed(schema)) return contentOf({ [JSON_MEDIA_TYPE]: schema });
  return Object.fromEntries(
    Object.entries(schema.content).map(([mediaType, one]) => [
      mediaType,
      one === null || mediaType === JSON_MEDIA_TYPE ? mediaTypeOf(one) : streamContentOf(mediaType, one),
    ]),
  );
}

/** Security of a route that differs from the usual: none, a session only, or a key only. */
function securityOf({ access, routeClass, errorFormat }: RouteSpec): Pick<ZodOpenApiOperationObject, 'security'> {
  if (access.kind === 'public') return { security: [] };
  if (access.kind === 'caller' && access.scopes.length === 0) return { security: [{ session: [] }] };
  return isForKeysAlone({ access }) || routeClass === 'otlp' || errorFormat === 'openai'
    ? { security: [{ apiKey: [] }] }
    : {};
}

function describeAccess(access: AccessRule): string | undefined {
  if (access.kind !== 'caller') return undefined;
  const anyOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' or ');
  if (access.scopes.length === 0 && access.anyPerson === true) return 'For signed-in people, whatever their roles.';
  if (access.anyPerson === true) return 'For every key, and every signed-in person.';
  if (access.permissions.length === 0) return 'For keys alone, whatever their scopes.';
  return `Needs the scope ${anyOf(access.scopes)}; of a person, the permission ${anyOf(access.permissions)}.`;
}
