import type { IncomingMessage } from 'node:http';
import { importExamples } from '@clew/contracts';
import { answer, receiveBody, route, type BodyLimits, type Route } from '@clew/http';
import type { ImportsService, IncomingFile } from './imports.service.ts';

export function importRoutes(imports: ImportsService, limits: BodyLimits): Route[] {
  return [
    route(importExamples, async ({ params, query }, { request, requestId }) => {
      const { projectId, datasetId } = params;
      return answer(200, await imports.run({ projectId, datasetId }, query, fileOf(request, limits), requestId));
    }),
  ];
}

function fileOf(request: IncomingMessage, limits: BodyLimits): IncomingFile {
  return {
    chunks: receiveBody(request, limits),
    isGone: () => request.destroyed && !request.complete,
  };
}
