import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RequestContext } from './caller.ts';

/** Characters that are sent at a time. */
const CHUNK_CHARACTERS = 64 * 1024;

/** Streams values as a file of one JSON value per line; they are taken only as fast as the caller reads. */
export async function sendJsonLines(
  { request, response }: Pick<RequestContext, 'request' | 'response'>,
  fileName: string,
  values: AsyncIterable<unknown>,
): Promise<void> {
  response.status(200);
  response.setHeader('content-type', 'application/jsonl; charset=utf-8');
  response.setHeader('content-disposition', `attachment; filename="${fileName}"`);
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(chunksOf(values), { objectMode: false }), response);
  } catch (error) {
    // A caller that disconnects in the middle needs no answer.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

async function* chunksOf(values: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const value of values) {
    text += `${JSON.stringify(value)}\n`;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
