import { z } from 'zod';
import { JsonObject } from '../common/primitives.ts';
import { defineRoute, streamed, type RouteSpec } from '../route.ts';

const PartialSuccess = z
  .object({
    partialSuccess: z
      .object({
        rejectedSpans: z.string().optional(),
        rejectedLogRecords: z.string().optional(),
        rejectedDataPoints: z.string().optional(),
        errorMessage: z.string(),
      })
      .optional(),
  })
  .meta({ example: {} });

function otlpRoute(operationId: string, sdk: string, path: string, summary: string) {
  return defineRoute({
    operationId,
    sdk,
    service: 'telemetry-ingest',
    method: 'post',
    path,
    tag: 'OTLP',
    summary,
    description: 'OTLP/HTTP, protobuf or JSON, gzip or not; the answer has the media type of the request.',
    access: { kind: 'caller', scopes: ['telemetry:write'], permissions: ['project:data:write'] },
    routeClass: 'otlp',
    errors: ['QUOTA_EXCEEDED'],
    ownBody: { 'application/x-protobuf': null, 'application/json': JsonObject },
    responses: { 200: streamed({ 'application/json': PartialSuccess, 'application/x-protobuf': null }) },
  } satisfies RouteSpec);
}

export const exportTraces = otlpRoute(
  'exportTraces',
  'telemetry.sendTraces',
  '/v1/traces',
  'Take spans; 200 only when they are durable',
);
export const exportLogs = otlpRoute(
  'exportLogs',
  'telemetry.sendLogs',
  '/v1/logs',
  'Take GenAI events that come as log records',
);
export const exportMetrics = otlpRoute(
  'exportMetrics',
  'telemetry.sendMetrics',
  '/v1/metrics',
  'Metrics are not stored; says so',
);
