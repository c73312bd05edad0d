import { AppError, readJson } from '@clew/kernel';
import { z } from 'zod';
import { type HttpClient, type HttpReply, type Location, SourceError } from '@clew/model-runtime';

export interface WheelFile extends Location {
  filename: string;
  sha256: string | undefined;
}

export interface PackageIndexOptions {
  http: HttpClient;
  /** Simple repository (PEP 503 or 691); credentials in the URL are sent only to its own origin. */
  indexUrl: URL;
}

/** Finds the wheels of a package in a package registry. */
export interface PackageIndex {
  findWheel(wheel: { package: string; version: string }, signal: AbortSignal): Promise<WheelFile>;
}

const ACCEPT = 'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';
const MAX_PAGE_BYTES = 32 * 1024 * 1024;

export function createPackageIndex({ http, indexUrl }: PackageIndexOptions): PackageIndex {
  const { url: root, authorization } = withoutCredentials(indexUrl);
  return {
    async findWheel(wheel, signal) {
      const page = new URL(`${normalized(wheel.package)}/`, root);
      const reply = await http.call(page, { headers: { accept: ACCEPT }, authorization, signal });
      const files = await filesOf(reply);
      const prefix = `${normalized(wheel.package)}-${wheel.version}-`;
      const found = files.find(({ filename }) => normalizedWheel(filename).startsWith(prefix));
      if (found === undefined) {
        throw new AppError('MODEL_NOT_FOUND', `The package registry has no wheel of ${wheel.package} ${wheel.version}`);
      }
      const sameOrigin = found.url.origin === root.origin;
      return sameOrigin && authorization !== undefined ? { ...found, authorization } : found;
    },
  };
}

async function filesOf(reply: HttpReply): Promise<WheelFile[]> {
  if (reply.status !== 200) {
    await reply.body.dump();
    if (reply.status === 404) return [];
    throw new AppError('UPSTREAM_UNAVAILABLE', `The package registry answered ${reply.status}`);
  }
  const text = await textOf(reply);
  const isJson = reply.headers['content-type']?.includes('json') === true;
  const files = isJson ? filesOfJson(text, reply.url) : filesOfHtml(text, reply.url);
  return files.filter(({ filename }) => filename.endsWith('.whl'));
}

async function textOf({ body }: HttpReply): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_PAGE_BYTES)
      throw new AppError('UPSTREAM_UNAVAILABLE', 'The page of the package registry is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

const JsonPage = z.object({
  files: z.array(
    z.object({ filename: z.string(), url: z.string(), hashes: z.record(z.string(), z.string()).default({}) }),
  ),
});

/** Reads a page in JSON (PEP 691). */
function filesOfJson(text: string, page: URL): WheelFile[] {
  const parsed = JsonPage.safeParse(jsonOf(text));
  if (!parsed.success) throw new SourceError('The package registry answered something else than its files');
  return parsed.data.files.flatMap(({ filename, url, hashes }) => fileOf(url, page, filename, hashes['sha256']));
}

function jsonOf(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

const ANCHOR = /<a\b[^<>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;

/** Reads a page of links (PEP 503), with the hash of each file in its fragment. */
function filesOfHtml(text: string, page: URL): WheelFile[] {
  return [...text.matchAll(ANCHOR)].flatMap(([, quoted, single]) => {
    const href = (quoted ?? single ?? '').replaceAll('&amp;', '&');
    const url = URL.parse(href, page.href);
    if (url === null) return [];
    const filename = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    return fileOf(href, page, filename, /^#sha256=([0-9a-f]{64})$/.exec(url.hash)?.[1]);
  });
}

function fileOf(href: string, page: URL, filename: string, sha256: string | undefined): WheelFile[] {
  const url = URL.parse(href, page.href);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== page.protocol)) return [];
  url.hash = '';
  return [{ url, filename, sha256 }];
}

function withoutCredentials(indexUrl: URL): { url: URL; authorization: string | undefined } {
  const url = new URL(indexUrl);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization = username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url, authorization };
}

/** Canonical spelling of a package's name (PEP 503). */
function normalized(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** File name of a wheel with its package's name in canonical spelling. */
function normalizedWheel(filename: string): string {
  const [name = '', ...rest] = filename.split('-');
  return [normalized(name), ...rest].join('-');
}
