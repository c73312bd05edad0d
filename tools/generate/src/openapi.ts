import { STATUS_CODES } from 'node:http';
import { ErrorBodySchema, HealthStatus, OpenAiErrorSchema, type AccessRule, type RouteSpec } from '@clew/contracts';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { publicRoutes } from '@clew/contracts/all-routes';

const JSON_MEDIA_TYPE = 'application/json';
const VERSION = '1.0.0';

const DESCRIPTION = [
  'Clew turns the conversations of AI products into Findings, Knowledge and Datasets.',
  'Every response carries `x-service-request-id`. Every error has the same body, but on the inference routes, where it',
  'has that of the OpenAI API.',
].join(' ');

/** The OpenAPI 3.1 description of the API, made from the route specs that also validate its requests. */
export function openApiDocument() {
  const paths: ZodOpenApiPathsObject = healthPaths();
  for (const spec of publicRoutes()) {
    const path = spec.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method]: operationOf(spec) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Clew',
      version: VERSION,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `clew_...`' } },
    },
    paths,
  });
}

function operationOf(spec: RouteSpec): ZodOpenApiOperationObject {
  return {
    operationId: spec.operationId,
    tags: [spec.tag],
    summary: spec.summary,
    description: [spec.description, describeAccess(spec.access)].filter((text) => text !== undefined).join('\n\n'),
    ...(spec.params === undefined && spec.query === undefined
      ? {}
      : {
          requestParams: {
            ...(spec.params === undefined ? {} : { path: spec.params as never }),
            ...(spec.query === undefined ? {} : { query: spec.query as never }),
          },
        }),
    ...requestBodyOf(spec),
    responses: {
      ...Object.fromEntries(
        Object.entries(spec.responses).map(([status, schema]) => [status, responseOf(status, schema)]),
      ),
      default: {
        description: 'An error',
        content: {
          [JSON_MEDIA_TYPE]: { schema: spec.errorFormat === 'openai' ? OpenAiErrorSchema : ErrorBodySchema },
        },
      },
    },
  };
}

function requestBodyOf(spec: RouteSpec): Partial<ZodOpenApiOperationObject> {
  if (spec.routeClass === 'otlp') {
    const binary = { schema: { type: 'string', format: 'binary' } as const };
    const json = { schema: { type: 'object' } as const };
    return { requestBody: { required: true, content: { 'application/x-protobuf': binary, [JSON_MEDIA_TYPE]: json } } };
  }
  if (spec.ownBody !== undefined) {
    const { schema, mediaType = JSON_MEDIA_TYPE } = spec.ownBody;
    return { requestBody: { required: true, content: { [mediaType]: { schema } } } };
  }
  if (spec.routeClass === 'audio') {
    return {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: spec.body ?? { type: 'object' } } } },
    };
  }
  if (spec.routeClass === 'stream' && spec.method !== 'get') {
    return { requestBody: { required: true, content: { 'application/x-ndjson': { schema: { type: 'string' } } } } };
  }
  return spec.body === undefined
    ? {}
    : { requestBody: { required: true, content: { [JSON_MEDIA_TYPE]: { schema: spec.body } } } };
}

function responseOf(status: string, schema: RouteSpec['responses'][number] | undefined) {
  const description = STATUS_CODES[Number(status)] ?? status;
  return schema == null ? { description } : { description, content: { [JSON_MEDIA_TYPE]: { schema } } };
}

function describeAccess(access: AccessRule): string | undefined {
  if (access.kind !== 'caller') return undefined;
  const anyOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' or ');
  return `Needs the scope ${anyOf(access.scopes)}; of a person, the permission ${anyOf(access.permissions)}.`;
}

function healthPaths(): ZodOpenApiPathsObject {
  return {
    '/healthz': {
      get: {
        operationId: 'getHealth',
        tags: ['Health'],
        summary: 'Whether the gateway process lives; proves nothing about its dependencies',
        security: [],
        responses: { 200: { description: 'OK', content: { [JSON_MEDIA_TYPE]: { schema: HealthStatus } } } },
      },
    },
  };
}
