import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '@clew/kernel';

export interface BodyLimits {
  /** Limit of the bytes as sent. */
  maxBytes: number;
  /** Limit of the bytes after decompression. */
  maxDecompressedBytes: number;
  /** Maximum ratio of decompressed to sent bytes; the first 16 MiB are exempt. */
  maxExpansion?: number;
}

/** Observer of a body as sent; may throw. */
export interface BodyWatcher {
  update(chunk: Buffer): void;
  /** Called when the whole body has come. */
  end(): void;
}

const NOBODY: BodyWatcher = { update: () => undefined, end: () => undefined };
const DECOMPRESSED_CHUNK_BYTES = 64 * 1024;
/** Short repetitive texts compress a thousandfold, and harm nobody. */
const FREE_EXPANSION_BYTES = 16 * 1024 * 1024;

/** Decompressed body of a request, as a stream that fails with 413 beyond a limit and 400 on broken gzip. */
export function receiveBody(
  request: IncomingMessage,
  limits: BodyLimits,
  watcher: BodyWatcher = NOBODY,
): AsyncIterable<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new AppError('UNSUPPORTED_ENCODING', 'content-encoding must be gzip or identity');
  }
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  return encoding === 'gzip' ? gunzipped(request, limits, watcher) : plain(request, limits, watcher);
}

async function* plain(request: IncomingMessage, limits: BodyLimits, watcher: BodyWatcher): AsyncGenerator<Buffer> {
  const maxBytes = Math.min(limits.maxBytes, limits.maxDecompressedBytes);
  const chunks = limited(
    request,
    () => maxBytes,
    () => request.resume(),
  );
  for await (const chunk of chunks) {
    watcher.update(chunk);
    yield chunk;
  }
  watcher.end();
}

async function* gunzipped(request: IncomingMessage, limits: BodyLimits, watcher: BodyWatcher): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: DECOMPRESSED_CHUNK_BYTES });
  let sentBytes = 0;
  const show = (chunk: Buffer) => {
    try {
      watcher.update(chunk);
    } catch (error) {
      gunzip.destroy(error as Error);
    }
  };
  request.on('data', (chunk: Buffer) => {
    sentBytes += chunk.length;
    if (sentBytes > limits.maxBytes) gunzip.destroy(tooLarge(limits.maxBytes));
    else show(chunk);
  });
  // A pipe does not end when its source is cut off.
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
  await restReceived(request);
  watcher.end();
}

/**
 * Reads and drops the rest of a body, such as bytes after the end of its compressed part. Throws MALFORMED_BODY if the
 * sender disconnects before its end.
 */
export async function restReceived(request: IncomingMessage): Promise<void> {
  request.resume();
  try {
    await finished(request, { writable: false });
  } catch (error) {
    throw endedEarly(error);
  }
}

/**
 * Limits a stream. `stopped` is called if the rest is not wanted: the rest must be read and dropped, so that the caller
 * gets its answer.
 */
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
    throw endedEarly(error);
  } finally {
    if (!complete) stopped();
  }
}

function endedEarly(cause: unknown): AppError {
  return new AppError('MALFORMED_BODY', 'The body ended early, or could not be decompressed', { cause });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}
