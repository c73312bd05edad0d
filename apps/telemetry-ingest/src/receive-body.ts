import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '@clew/kernel';

export interface BodyLimits {
  /** As sent. */
  maxBytes: number;
  /** After decompression. */
  maxDecompressedBytes: number;
}

/** The decompressed body of a request, as a stream that fails with 413 past a limit and 400 on broken gzip. */
export function decompressedBody(request: IncomingMessage, limits: BodyLimits): AsyncIterable<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new AppError('UNSUPPORTED_ENCODING', 'content-encoding must be gzip or identity');
  }
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) throw tooLarge(limits.maxBytes);
  return readLimited(request, encoding === 'gzip', limits);
}

async function* readLimited(request: IncomingMessage, gzipped: boolean, limits: BodyLimits): AsyncGenerator<Buffer> {
  const counted = request.pipe(limitBytes(limits.maxBytes));
  request.once('aborted', () => counted.destroy(new AppError('MALFORMED_BODY', 'The body ended early')));
  const source: Readable = gzipped ? counted.pipe(createGunzip()) : counted;
  if (source !== counted) counted.once('error', (error) => source.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limits.maxDecompressedBytes) throw tooLarge(limits.maxDecompressedBytes);
      yield chunk;
    }
  } catch (error) {
    // What is left of the body is read and dropped, so that the caller gets to read the answer.
    request.unpipe(counted);
    request.resume();
    if (error instanceof AppError) throw error;
    throw new AppError('MALFORMED_BODY', 'The body could not be decompressed', { cause: error });
  }
}

function limitBytes(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length;
      if (bytes > maxBytes) callback(tooLarge(maxBytes));
      else callback(null, chunk);
    },
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}
