import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import {
  AppError,
  type ErrorDetail,
  excessOf,
  MAX_JSON_DEPTH,
  measureJson,
  parseStrictly,
  readJson,
} from '@clew/kernel';
import { invalid } from './validate.ts';

/**
 * Maximum number of values and of object members in one body: this many take a quarter of a second to parse, during
 * which no other request is served. Members take the longest if all names differ.
 */
const MOST_AT_ONCE = { maxValues: 4_000_000, maxMembers: 200_000 };

/**
 * Reads a whole body into memory, at most `maxBytes` of it (counted after decompression). `onBytes` is called with the
 * total so far before bytes are kept; an error that it throws ends the reading.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Buffer> {
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  if (declaredBytes > maxBytes) throw tooLarge(maxBytes);
  const gunzip = gunzipFor(request);
  try {
    const source = gunzip === undefined ? request : request.pipe(gunzip);
    return await collect(source, request, (bytes) => {
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      onBytes(bytes);
    });
  } catch (error) {
    // The rest of the body is read and dropped: the caller may send all of it before it reads the answer.
    request.unpipe();
    gunzip?.destroy();
    request.resume();
    if (error instanceof AppError) throw error;
    throw new AppError('MALFORMED_BODY', 'The body could not be read', { cause: error });
  }
}

/**
 * Collects a stream. Iterating over it instead would destroy it, and with it the connection, if the body is too large.
 */
function collect(source: Readable, request: IncomingMessage, admit: (bytes: number) => void): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    try {
      admit(bytes);
      chunks.push(chunk);
    } catch (error) {
      reject(error);
    }
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

/** Reads a JSON body: its media type, size, syntax and depth are checked. An empty body gives undefined. */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
  onBytes?: (bytes: number) => void,
): Promise<unknown> {
  const bytes = await readBody(request, maxBytes, onBytes);
  if (bytes.length === 0) return undefined;
  const mediaType = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'content-type must be application/json');
  }
  return parseJson(bytes);
}

/**
 * Parses UTF-8 JSON text; 400 MALFORMED_BODY for a text that is not JSON, not UTF-8, or too deep, and VALIDATION_FAILED
 * with the places of values that would not come back unchanged.
 */
export function parseJson(bytes: Uint8Array, maxDepth = MAX_JSON_DEPTH): unknown {
  const read = parseStrictly(decodeUtf8(bytes), { maxDepth, ...MOST_AT_ONCE });
  if ('value' in read) return read.value;
  if (read.isJson) throw invalid('VALIDATION_FAILED', read.problems.map(inBody));
  throw new AppError('MALFORMED_BODY', `The body ${read.problems[0].message}`);
}

function inBody({ path, message }: ErrorDetail): ErrorDetail {
  return { path: path === '' ? 'body' : `body.${path}`, message };
}

/** Decodes UTF-8; 400 MALFORMED_BODY for anything else. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body is not UTF-8', { cause: error });
  }
}

/**
 * Parses JSON in the usual way, for bodies ruled by another standard; 400 MALFORMED_BODY for a text that is not JSON,
 * or too deep.
 */
export function parseJsonText(text: string, maxDepth = MAX_JSON_DEPTH): unknown {
  const excess = excessOf(measureJson(text), { maxDepth, ...MOST_AT_ONCE });
  if (excess !== undefined) throw new AppError('MALFORMED_BODY', `The body ${excess}`);
  try {
    return readJson(text);
  } catch (error) {
    throw new AppError('MALFORMED_BODY', 'The body is not valid JSON', { cause: error });
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}
