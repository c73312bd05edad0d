import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { AppError } from '@clew/kernel';

/** Deeper JSON than this is refused: MongoDB stores at most 100 levels, and nobody means to send it. */
export const MAX_JSON_DEPTH = 64;

/** Reads a whole body into memory, at most `maxBytes` of it (counted after decompression). */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > maxBytes) throw tooLarge(maxBytes);
  const gunzip = gunzipFor(request);
  try {
    return await collect(gunzip === undefined ? request : request.pipe(gunzip), request, maxBytes);
  } catch (error) {
    // What is left of the body is read and dropped: the caller may send all of it before it reads the answer.
    request.unpipe();
    gunzip?.destroy();
    request.resume();
    if (error instanceof AppError) throw error;
    throw new AppError('MALFORMED_BODY', 'The body could not be read', { cause: error });
  }
}

/** Iterating over the stream instead would destroy it, and with it the connection, where the body is too large. */
function collect(source: Readable, request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else reject(tooLarge(maxBytes));
  };
  source.on('data', take);
  source.once('end', () => resolve(Buffer.concat(chunks, bytes)));
  source.on('error', reject);
  if (request !== source) request.on('error', reject);
  return promise.finally(() => source.off('data', take));
}

function gunzipFor(request: IncomingMessage): Gunzip | undefined {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return undefined;
  if (encoding !== 'gzip') {
    throw new AppError('UNSUPPORTED_ENCODING', 'content-encoding must be gzip or identity');
  }
  return createGunzip();
}

/** Reads a JSON body: its media type, size, syntax and depth are checked. An empty body is undefined. */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const bytes = await readBody(request, maxBytes);
  if (bytes.length === 0) return undefined;
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'content-type must be application/json');
  }
  return parseJson(bytes);
}

/** Parses UTF-8 JSON text; 400 MALFORMED_BODY for what is not JSON, not UTF-8, or too deep. */
export function parseJson(bytes: Uint8Array, maxDepth = MAX_JSON_DEPTH): unknown {
  return parseJsonText(decodeUtf8(bytes), maxDepth);
}

/** 400 MALFORMED_BODY for what is not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body is not UTF-8', { cause: error });
  }
}

/** The same as `parseJson` for what is text already. */
export function parseJsonText(text: string, maxDepth = MAX_JSON_DEPTH): unknown {
  if (nestsDeeper(text, maxDepth)) {
    throw new AppError('MALFORMED_BODY', `The body nests deeper than ${maxDepth} levels`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body is not valid JSON', { cause: error });
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** Whether a JSON text nests deeper than the limit, found before it is parsed. */
function nestsDeeper(text: string, maxDepth: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
  }
  return false;
}

/** The index of the quote that ends the string that begins at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}
