import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { exportExamples, STREAMED } from '@clew/contracts';
import { route, type RequestContext, type Route } from '@clew/http';
import type { ExportedFile, ExportsService } from './exports.service.ts';

const EXPORTED = 'x-clew-exported-count';
const LEFT_OUT = 'x-clew-left-out-count';

export function exportRoutes(exports: ExportsService): Route[] {
  return [
    route(exportExamples, async ({ params, query }, context) => {
      const { projectId, datasetId } = params;
      await send(await exports.open({ projectId, datasetId }, query), context);
      return STREAMED;
    }),
  ];
}

async function send(file: ExportedFile, { request, response }: RequestContext): Promise<void> {
  response.status(200);
  response.attachment(file.name);
  response.setHeader('content-type', file.contentType);
  response.setHeader('x-clew-dataset-version', String(file.version));
  response.setHeader('x-clew-content-id', file.contentId);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  // Trailers need a chunked body, which HTTP/1.0 does not have.
  if (request.httpVersion === '1.1') response.setHeader('trailer', `${EXPORTED}, ${LEFT_OUT}`);
  try {
    await pipeline(Readable.from(withTrailers(file, response), { objectMode: false }), response);
  } catch (error) {
    // A caller that disconnects in the middle needs no answer.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** Sends the counts as trailers, because they are known only after the whole body. */
async function* withTrailers({ chunks, counts }: ExportedFile, response: Response): AsyncGenerator<Buffer> {
  yield* chunks;
  response.addTrailers({ [EXPORTED]: String(counts.exported), [LEFT_OUT]: String(counts.leftOut) });
}
