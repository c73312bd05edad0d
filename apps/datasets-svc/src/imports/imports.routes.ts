import type { IncomingMessage } from 'node:http';
import { importExamples } from '@clew/contracts';
import { answer, BodyMark, receiveBody, restReceived, route, type BodyLimits, type Route } from '@clew/http';
import type { IdempotentAttempt } from '@clew/kernel';
import type { RequireRoom } from '../storage/index.ts';
import type { ImportMemory, ImportProgress } from './import-memory.ts';
import type { ImportsService, IncomingFile } from './imports.service.ts';

export function importRoutes(imports: ImportsService, limits: BodyLimits, requireRoom: RequireRoom): Route[] {
  return [
    route(importExamples, async ({ params, query }, { request, requestId, attempt }) => {
      const { projectId, datasetId } = params;
      await requireRoom(projectId);
      const progress = attempt?.progress as ImportProgress | undefined;
      const mark = attempt === undefined ? undefined : new BodyMark(attempt.fingerprintOf, progress?.body);
      const memory = attempt && mark && memoryOf(attempt, mark, progress);
      const file = fileOf(request, limits, mark);
      return answer(200, await imports.run({ projectId, datasetId }, query, file, { requestId, memory }));
    }),
  ];
}

function memoryOf(attempt: IdempotentAttempt, mark: BodyMark, progress: ImportProgress | undefined): ImportMemory {
  return {
    progress,
    isKnownFile: () => mark.isKnown,
    mark: () => mark.text,
    advance: (tx, reached) => attempt.advance(tx, reached),
    finish: (tx, report) => attempt.record(tx, { ...answer(200, report), bodyMark: mark.text }),
  };
}

function fileOf(request: IncomingMessage, limits: BodyLimits, mark: BodyMark | undefined): IncomingFile {
  return {
    chunks: receiveBody(request, limits, mark),
    isGone: () => request.destroyed && !request.complete,
    async received() {
      await restReceived(request);
      mark?.end();
    },
  };
}
