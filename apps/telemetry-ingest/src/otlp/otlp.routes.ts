import { AppError } from '@clew/kernel';
import { exportLogs, exportMetrics, exportTraces, STREAMED } from '@clew/contracts';
import { route, type RequestContext, type Route } from '@clew/http';
import type { SpanOrigin } from '../publish/span-message.ts';
import type { ExportService } from './export.service.ts';
import type { ExportResponse } from './partial-success.ts';

export function otlpRoutes(exports: ExportService): Route[] {
  return [
    route(exportTraces, async (_input, context) => {
      send(context, await exports.traces(context.request, originOf(context)));
      return STREAMED;
    }),
    route(exportLogs, async (_input, context) => {
      send(context, await exports.logs(context.request, originOf(context)));
      return STREAMED;
    }),
    route(exportMetrics, async (_input, context) => {
      send(context, await exports.metrics(context.request, originOf(context)));
      return STREAMED;
    }),
  ];
}

/** Origin of a request; the gateway names the project in the identity that it signs. */
export function originOf({ caller, requestId }: RequestContext): SpanOrigin {
  if (caller?.projectId === undefined) throw new AppError('PROJECT_REQUIRED', 'The request names no project');
  return { projectId: caller.projectId, requestId };
}

/** Sends an answer in the media type of the request, which is not always JSON. */
function send({ response }: RequestContext, { contentType, body }: ExportResponse): void {
  response.status(200).setHeader('content-type', contentType).end(body);
}
