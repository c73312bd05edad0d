import { AppError } from '@clew/kernel';
import type { ArtifactFile } from '@clew/contracts';
import type { ByteSource, ExpectedDigest } from './byte-source.ts';
import { redirectTarget, type HttpClient, type HttpReply } from './http-client.ts';
import { createHttpSource, type Location } from './http-source.ts';
import { hubRefusal } from './hub-errors.ts';

export type HubSource = Extract<ArtifactFile['source'], { kind: 'hub' }>;

export interface HubFileOptions {
  http: HttpClient;
  /** `HF_ENDPOINT`. */
  endpoint: URL;
  token?: string | undefined;
  /** Size known from the catalog, for a hub that does not state it. */
  sizeBytes: number | null;
  signal: AbortSignal;
}

interface HubFile {
  location: Location;
  sizeBytes: number | undefined;
  etag: string;
}

/** Opens a file of a repository; large files are on a CDN of another origin, which never gets the token. */
export async function openHubFile(source: HubSource, options: HubFileOptions): Promise<ByteSource> {
  const { http, sizeBytes: catalogBytes } = options;
  const found = await locate(source, options);
  const sizeBytes = found.sizeBytes ?? catalogBytes;
  if (sizeBytes === null) {
    throw new AppError('ARTIFACT_SIZE_UNKNOWN', 'The hub does not say how large the file is');
  }
  return createHttpSource({
    http,
    location: found.location,
    relocate: async (signal) => (await locate(source, { ...options, signal })).location,
    sizeBytes,
    identity: `${found.etag} ${sizeBytes}`,
    expected: digestOf(found.etag),
  });
}

async function locate(source: HubSource, { http, endpoint, token, signal }: HubFileOptions): Promise<HubFile> {
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  const path = [...source.repoId.split('/'), 'resolve', source.revision, ...source.path.split('/')];
  const url = new URL(path.map(encodeURIComponent).join('/'), endpoint);
  const sameOrigin = (target: URL) => target.origin === url.origin;
  const reply = await http.call(url, { method: 'HEAD', authorization, signal, follow: sameOrigin });
  await reply.body.dump();
  const linked = reply.status >= 300 && reply.status < 400 ? redirectTarget(reply) : undefined;
  if (reply.status !== 200 && linked === undefined) throw hubRefusal(reply.status, reply.headers['x-error-code']);
  return {
    location: linked === undefined ? { url: reply.url, authorization } : { url: linked },
    sizeBytes: sizeOf(reply, linked !== undefined),
    etag: unquoted(reply.headers['x-linked-etag'] ?? reply.headers['etag'] ?? ''),
  };
}

/** Size of the file; the length of a redirect is that of the redirect itself. */
function sizeOf({ headers }: HttpReply, isLinked: boolean): number | undefined {
  const value = headers['x-linked-size'] ?? (isLinked ? undefined : headers['content-length']);
  return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** Digest in an ETag: large files have their SHA-256, files in git have git's own hash. */
function digestOf(etag: string): ExpectedDigest | undefined {
  if (/^[0-9a-f]{64}$/.test(etag)) return { algorithm: 'sha256', hex: etag };
  if (/^[0-9a-f]{40}$/.test(etag)) return { algorithm: 'git-sha1', hex: etag };
  return undefined;
}

function unquoted(etag: string): string {
  return etag.replace(/^W\//, '').replaceAll('"', '');
}
