import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listRepos, listTree, pathsInfo, readRepo, refusal, type HubAnswer } from './hub-api.ts';
import { storedRepo, type HubRepo, type StoredFile, type StoredRepo } from './repository.ts';
import { sendBody } from './send-body.ts';
import { FaultPlan, type Faults, type HubRequest } from './traffic.ts';

/** Model hub on this machine that behaves like the real one. */
export interface LoopbackHub {
  /** URL for `HF_ENDPOINT`. */
  readonly url: string;
  /** URL of large files, with another origin. */
  readonly cdnUrl: string;
  readonly requests: HubRequest[];
  readonly faults: Faults;
  /** Adds a repository, or replaces its content. */
  put(repo: HubRepo): void;
  /** Number of bytes of all bodies that the CDN sent. */
  cdnBytes(): number;
  stop(): Promise<void>;
}

export interface LoopbackHubOptions {
  /** Maximum entries on a page of a list, whatever is requested; 100 by default. */
  pageSize?: number;
  /** Port of the hub, if others know it already; any by default. */
  port?: number;
}

export async function startLoopbackHub(
  repos: readonly HubRepo[] = [],
  { pageSize = 100, port = 0 }: LoopbackHubOptions = {},
): Promise<LoopbackHub> {
  const stored = new Map<string, StoredRepo>(repos.map((repo) => [repo.id, storedRepo(repo)]));
  const requests: HubRequest[] = [];
  const faults = new FaultPlan();
  const state: State = { stored, faults, pageSize, cdnUrl: '' };
  const [hub, cdn] = await Promise.all([
    serve(port, (request, response) =>
      observed(requests, 'hub', request, response, (noted) => answerHub(state, request, response, noted)),
    ),
    serve(0, (request, response) =>
      observed(requests, 'cdn', request, response, (noted) => answerCdn(state, request, response, noted)),
    ),
  ]);
  // Another name for the same machine is another origin.
  state.cdnUrl = `http://localhost:${portOf(cdn)}`;
  return {
    url: `http://127.0.0.1:${portOf(hub)}`,
    cdnUrl: state.cdnUrl,
    requests,
    faults,
    put: (repo) => void stored.set(repo.id, storedRepo(repo)),
    cdnBytes: () => requests.reduce((sum, { origin, bytesSent }) => sum + (origin === 'cdn' ? bytesSent : 0), 0),
    async stop() {
      await Promise.all([hub, cdn].map(close));
    },
  };
}

interface State {
  stored: Map<string, StoredRepo>;
  faults: FaultPlan;
  pageSize: number;
  cdnUrl: string;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

async function serve(port: number, handler: Handler): Promise<Server> {
  const server = createServer((request, response) => {
    handler(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function observed(
  requests: HubRequest[],
  origin: HubRequest['origin'],
  { method = '', url = '', headers }: IncomingMessage,
  response: ServerResponse,
  work: (noted: HubRequest) => Promise<void>,
): Promise<void> {
  const { authorization, range } = headers;
  const noted: HubRequest = { origin, method, path: url, authorization, range, status: 0, bytesSent: 0 };
  requests.push(noted);
  await work(noted);
  noted.status = response.statusCode;
}

function send(response: ServerResponse, { status, body, headers = {} }: HubAnswer): void {
  const text = body === undefined ? '' : JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(text);
}

function refused({ faults }: State, origin: HubRequest['origin']): HubAnswer | undefined {
  const fault = faults.takeRefusal(origin);
  if (fault === undefined) return undefined;
  const headers = fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) };
  return { status: fault.status, body: { error: 'refused' }, headers };
}

async function answerHub(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  noted: HubRequest,
): Promise<void> {
  const failed = refused(state, 'hub');
  if (failed !== undefined) return send(response, failed);
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const parts = url.pathname.slice(1).split('/').map(decodeURIComponent);
  if (parts[0] === 'api') return send(response, await answerApi(state, parts.slice(1), url, request));
  const [owner, name, verb, revision, ...path] = parts;
  const repo = repoFor(state, `${owner}/${name}`, request);
  if ('status' in repo) return send(response, repo);
  if (verb !== 'resolve') return send(response, refusal(404, 'EntryNotFound', 'Not found'));
  if (!isRevision(repo, revision)) return send(response, refusal(404, 'RevisionNotFound', 'Invalid revision'));
  const locked = gate(repo, request);
  if (locked !== undefined) return send(response, locked);
  const file = repo.stored.find((each) => each.path === path.join('/'));
  if (file === undefined) return send(response, refusal(404, 'EntryNotFound', 'Entry not found'));
  return resolveFile(state, repo, file, request, response, noted);
}

async function answerApi(state: State, parts: string[], url: URL, request: IncomingMessage): Promise<HubAnswer> {
  const [kind, owner, name, verb, revision, ...path] = parts;
  if (kind !== 'models') return { status: 404, body: { error: 'Not found' } };
  if (owner === undefined) {
    const visible = [...state.stored.values()].filter((repo) => repo.private !== true || hasAccess(repo, request));
    return listRepos(visible, url, state.pageSize);
  }
  const repo = repoFor(state, `${owner}/${name}`, request);
  if ('status' in repo) return repo;
  if (revision !== undefined && !isRevision(repo, revision)) {
    return refusal(404, 'RevisionNotFound', 'Invalid revision');
  }
  if (verb === undefined || verb === 'revision') return readRepo(repo, url);
  if (verb === 'tree') return listTree(repo, path.join('/'), url, state.pageSize);
  if (verb === 'paths-info') return pathsInfo(repo, await pathsOf(request));
  return { status: 404, body: { error: 'Not found' } };
}

/**
 * Finds a repository. A private one looks like a missing one; without credentials, both answer that sign-in is
 * required.
 */
function repoFor({ stored }: State, id: string, request: IncomingMessage): StoredRepo | HubAnswer {
  const repo = stored.get(id);
  if (repo !== undefined && (repo.private !== true || hasAccess(repo, request))) return repo;
  const status = request.headers.authorization === undefined ? 401 : 404;
  return refusal(status, 'RepoNotFound', 'Repository not found');
}

/** Restricts a gated repository: everybody sees its file list, but only users with access get the files. */
function gate(repo: StoredRepo, request: IncomingMessage): HubAnswer | undefined {
  if ((repo.gated ?? false) === false || hasAccess(repo, request)) return undefined;
  const status = request.headers.authorization === undefined ? 401 : 403;
  return refusal(status, 'GatedRepo', `Access to model ${repo.id} is restricted`);
}

function hasAccess({ tokens = [] }: StoredRepo, { headers }: IncomingMessage): boolean {
  return tokens.some((token) => headers.authorization === `Bearer ${token}`);
}

function isRevision({ sha }: StoredRepo, revision: string | undefined): boolean {
  return revision === 'main' || revision === 'HEAD' || revision === sha;
}

async function resolveFile(
  { faults, cdnUrl }: State,
  repo: StoredRepo,
  file: StoredFile,
  request: IncomingMessage,
  response: ServerResponse,
  noted: HubRequest,
): Promise<void> {
  const { content, oid, sha256 } = file;
  response.setHeader('x-repo-commit', repo.sha);
  response.setHeader('accept-ranges', 'bytes');
  if (sha256 === null) {
    response.setHeader('etag', `"${oid}"`);
    return sendFile(faults, { path: file.path, content }, request, response, noted);
  }
  const query = new URLSearchParams({ repo: repo.id, path: file.path, link: String(faults.linkGeneration) });
  response.setHeader('x-linked-etag', `"${sha256}"`);
  if (!faults.sizesHidden) response.setHeader('x-linked-size', String(content.length));
  response.writeHead(302, { location: `${cdnUrl}/repos/${sha256}?${query.toString()}` }).end();
}

async function answerCdn(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  noted: HubRequest,
): Promise<void> {
  const failed = refused(state, 'cdn');
  if (failed !== undefined) return send(response, failed);
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const repo = state.stored.get(url.searchParams.get('repo') ?? '');
  const file = repo?.stored.find(({ path }) => path === url.searchParams.get('path'));
  const isCurrent = Number(url.searchParams.get('link')) === state.faults.linkGeneration;
  if (file === undefined || !isCurrent) return send(response, { status: 403, body: { error: 'The link has run out' } });
  response.setHeader('etag', `"${file.sha256}"`);
  return sendFile(state.faults, file, request, response, noted);
}

async function sendFile(
  faults: FaultPlan,
  { path, content }: Pick<StoredFile, 'path' | 'content'>,
  request: IncomingMessage,
  response: ServerResponse,
  noted: HubRequest,
): Promise<void> {
  const range = faults.rangesIgnored ? undefined : /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
  const start = Number(range?.[1] ?? 0);
  const end = range?.[2] ? Math.min(Number(range[2]) + 1, content.length) : content.length;
  if (range && start >= content.length) {
    response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    return;
  }
  if (range) {
    response.statusCode = 206;
    response.setHeader('content-range', `bytes ${start}-${end - 1}/${content.length}`);
  }
  response.setHeader('content-type', 'application/octet-stream');
  if (!faults.sizesHidden) response.setHeader('content-length', String(end - start));
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const bytes = faults.damaged(path, start, content.subarray(start, end));
  const options = { cutAfterBytes: faults.takeCut(), bytesPerSecond: faults.bytesPerSecond };
  return sendBody(response, bytes, options, (sent) => (noted.bytesSent += sent));
}

/** Parses the paths: the JavaScript client sends JSON, the Python client a form. */
async function pathsOf(request: IncomingMessage): Promise<string[]> {
  const text = await textOf(request);
  if (request.headers['content-type']?.includes('json') !== true) return new URLSearchParams(text).getAll('paths');
  return (JSON.parse(text) as { paths: string[] }).paths;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}
