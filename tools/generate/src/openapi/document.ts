import { HealthStatus, PING, WEBHOOK_EVENTS, webhookBody, type SentEventType } from '@clew/contracts';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { publicRoutes } from '@clew/contracts/all-routes';
import { sharedErrors } from './error-responses.ts';
import { withExamples } from './examples/with-examples.ts';
import { SHARED_HEADERS } from './headers.ts';
import { withItemExtensions } from './item-schemas.ts';
import { operationOf } from './operation.ts';
import { overrideSchema, withPortablePatterns } from './schemas.ts';

const VERSION = '1.0.0';

const DESCRIPTION = [
  'Clew turns the conversations of AI products into Findings, Knowledge and Datasets.',
  'Every response carries `x-service-request-id`; those to a known key tell in `RateLimit-*` how much it may still ask.',
  'Every error has the same body, but on the inference routes, where it has that of the OpenAI API. Unknown and repeated',
  'query parameters are 400, other methods 405, headers beyond 64 KiB 431.',
].join(' ');

const SESSION =
  'The session of a signed-in person. Over plain http the name is `clew_session`. A call that changes something must come from a page of this deployment (`Sec-Fetch-Site`, or `Origin`). Telemetry and inference take keys only.';

/** OpenAPI 3.1 description of the API, made from the route specs that also validate its requests. */
export function openApiDocument() {
  const paths: ZodOpenApiPathsObject = healthPaths();
  for (const spec of publicRoutes()) {
    const path = spec.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method]: operationOf(spec) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Clew',
        version: VERSION,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      security: [{ apiKey: [] }, { session: [] }],
      components: {
        headers: SHARED_HEADERS,
        responses: sharedErrors(publicRoutes()),
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `clew_...`' },
          session: { type: 'apiKey', in: 'cookie', name: '__Host-clew_session', description: SESSION },
        },
      },
      paths,
      webhooks: webhooks(),
    },
    { override: overrideSchema },
  );
  return withPortablePatterns(withExamples(withItemExtensions(document)));
}

/** Requests that webhooks of a project get, by the type of the event. */
function webhooks(): ZodOpenApiPathsObject {
  const events = { ...WEBHOOK_EVENTS, [PING.type]: PING };
  return Object.fromEntries(
    Object.entries(events).map(([type, { summary, data }]) => [
      type,
      {
        post: {
          tags: ['Webhooks'],
          summary,
          security: [],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: webhookBody(type as SentEventType, data) } },
          },
          responses: { '2XX': { description: 'It has arrived; anything else has it sent again' } },
        },
      },
    ]),
  );
}

function healthPaths(): ZodOpenApiPathsObject {
  return {
    '/healthz': {
      get: {
        operationId: 'getHealth',
        tags: ['Health'],
        summary: 'Whether the gateway process lives; proves nothing about its dependencies',
        description: 'For load balancers and probes. `GET /v1/health/signals` tells how the whole system is.',
        security: [],
        responses: {
          200: { description: 'It lives', content: { 'application/json': { schema: HealthStatus } } },
          503: {
            description: 'A loop of it no longer turns',
            content: { 'application/json': { schema: HealthStatus } },
          },
        },
      },
    },
  };
}
