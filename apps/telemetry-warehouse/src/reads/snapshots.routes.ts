import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getSnapshot, readSnapshots, resolveSnapshot, STREAMED } from '@clew/contracts';
import { answer, route, type RequestContext, type Route } from '@clew/http';
import type { SnapshotsService } from './snapshots.service.ts';

/** Internal routes for processes that evaluate conversations. */
export function snapshotRoutes(snapshots: SnapshotsService): Route[] {
  return [
    route(getSnapshot, async ({ params }) => answer(200, await snapshots.read(params.projectId, params.snapshotId))),
    route(readSnapshots, async ({ params, body }, context) => {
      await sendLines(snapshots.readMany(params.projectId, body.snapshotIds), context);
      return STREAMED;
    }),
    route(resolveSnapshot, async ({ params, body }) => {
      const { projectId, conversationId } = params;
      const { throughMs, traceIds } = body;
      const snapshotId = await snapshots.resolve({ projectId, conversationId, throughMs, traceIds });
      return answer(200, { snapshotId, conversationId });
    }),
  ];
}

async function sendLines(texts: AsyncIterable<string>, { response }: RequestContext): Promise<void> {
  response.status(200);
  response.setHeader('content-type', 'application/x-ndjson');
  try {
    await pipeline(Readable.from(asLines(texts), { objectMode: false }), response);
  } catch (error) {
    // A caller that goes away in the middle needs no answer.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* asLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield `${text}\n`;
}
