import { AppError } from '@clew/kernel';
import { SourceError, type ByteSource, type OpenedRange } from './byte-source.ts';
import type { HttpClient, HttpReply } from './http-client.ts';

/** Current location of the bytes; links to a CDN expire. */
export interface Location {
  url: URL;
  authorization?: string | undefined;
}

export interface HttpSourceOptions {
  http: HttpClient;
  location: Location;
  /** Finds the bytes again when a link has expired. */
  relocate(signal: AbortSignal): Promise<Location>;
  sizeBytes: number;
  /** Offset of the first byte that is read; bytes of the file before it are skipped. */
  offset?: number;
  identity: string;
  expected: ByteSource['expected'];
  extract?: ByteSource['extract'];
}

const EXPIRED = new Set([401, 403, 404, 410]);

/** File behind HTTP, or a part of one. */
export function createHttpSource({ http, relocate, offset = 0, ...options }: HttpSourceOptions): ByteSource {
  let { location } = options;

  async function ask(start: number, end: number, signal: AbortSignal): Promise<HttpReply> {
    const range = `bytes=${offset + start}-${offset + end - 1}`;
    return http.call(location.url, { headers: { range }, authorization: location.authorization, signal });
  }

  return {
    sizeBytes: options.sizeBytes,
    identity: options.identity,
    expected: options.expected,
    ...(options.extract === undefined ? {} : { extract: options.extract }),
    async open(start, end, signal) {
      let reply = await ask(start, end, signal);
      if (EXPIRED.has(reply.status)) {
        await reply.body.dump();
        location = await relocate(signal);
        reply = await ask(start, end, signal);
      }
      return opened(reply, offset + start, offset + end);
    },
  };
}

async function opened(reply: HttpReply, start: number, end: number): Promise<OpenedRange> {
  if (reply.status === 200) return { ranged: false, body: reply.body };
  const contentRange = reply.headers['content-range'];
  if (reply.status === 206 && contentRange?.startsWith(`bytes ${start}-${end - 1}/`) === true) {
    return { ranged: true, body: reply.body };
  }
  await reply.body.dump();
  if (reply.status === 206) throw new SourceError('The source answered with another range');
  throw new AppError('UPSTREAM_UNAVAILABLE', `The source of the artifact answered ${reply.status}`);
}
