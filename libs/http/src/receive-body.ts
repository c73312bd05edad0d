import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '@clew/kernel';

export interface BodyLimits {
  /** As sent. */
  maxBytes: number;
  /** After decompression. */
  maxDecompressedBytes: number;
  /** How many times larger than sent a decompressed body may become; its first 16 MiB are free. */
  maxExpansion?: number;
}

const DECOMPRESSED_CHUNK_BYTES = 64 * 1024;
/** Short texts that repeat themselves compress a thousand times, and harm nobody. */
const FREE_EXPANSION_BYTES = 16 * 1024 * 1024;

/** The decompressed body of a request, as a stream that fails with 413 past a limit and 400 on broken gzip. */
export function receiveBody(request: IncomingMessage, limits: BodyLimits): AsyncIterable<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new AppError('UNSUPPORTED_ENCODING', 'content-encoding must be gzip or identity');
  }
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  return encoding === 'gzip' ? gunzipped(request, limits) : plain(request, limits);
}

async function* plain(request: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer> {
  const maxBytes = Math.min(limits.maxBytes, limits.maxDecompressedBytes);
  yield* limited(
    request,
    () => maxBytes,
    () => request.resume(),
  );
}

async function* gunzipped(request: IncomingMessage, limits: BodyLimits): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: DECOMPRESSED_CHUNK_BYTES });
  let sentBytes = 0;
  request.on('data', (chunk: Buffer) => {
    sentBytes += chunk.length;
    if (sentBytes > limits.maxBytes) gunzip.destroy(tooLarge(limits.maxBytes));
  });
  // A pipe does not end with its source when that is cut off.
  request.once('close', () => {
    if (!request.complete) gunzip.destroy(new Error('The request was aborted'));
  });
  request.pipe(gunzip);
  const { maxDecompressedBytes, maxExpansion = Infinity } = limits;
  const maxBytes = () => Math.min(maxDecompressedBytes, Math.max(FREE_EXPANSION_BYTES, maxExpansion * sentBytes));
  yield* limited(gunzip, maxBytes, () => {
    request.unpipe(gunzip);
    gunzip.destroy();
    request.resume();
  });
}

/** `stopped` is called where the rest is not wanted: it has to be read and dropped, so that the caller gets its answer. */
async function* limited(source: Readable, maxBytes: () => number, stopped: () => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  let complete = false;
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes()) throw tooLarge(maxBytes());
      yield chunk;
    }
    complete = true;
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('MALFORMED_BODY', 'The body ended early, or could not be decompressed', { cause: error });
  } finally {
    if (!complete) stopped();
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}
