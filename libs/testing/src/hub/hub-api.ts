import { POINTER_BYTES, type StoredRepo } from './repository.ts';

/** Answer of the hub's JSON API. */
export interface HubAnswer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

const MAX_PAGE = 100;

/** Answers `GET /api/models`: a page of the matching repositories, in the requested order. */
export function listRepos(repos: readonly StoredRepo[], url: URL, pageSize: number): HubAnswer {
  const query = url.searchParams;
  const words = (query.get('search') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const filters = query.getAll('filter').flatMap((filter) => filter.split(','));
  const found = repos
    .filter((repo) => words.every((word) => repo.id.toLowerCase().includes(word)))
    .filter(({ id }) => query.get('author') === null || id.startsWith(`${query.get('author')}/`))
    .filter(({ pipelineTag }) => query.get('pipeline_tag') === null || pipelineTag === query.get('pipeline_tag'))
    .filter((repo) => filters.every((filter) => tagsOf(repo).includes(filter)))
    .toSorted(orderOf(query.get('sort')));
  const limit = Math.min(Number(query.get('limit') ?? MAX_PAGE), pageSize);
  const start = Number(query.get('cursor') ?? 0);
  const page = found.slice(start, start + limit);
  return {
    status: 200,
    body: page.map((repo) => repoView(repo, query.getAll('expand'))),
    headers: start + limit < found.length ? { link: nextLink(url, start + limit) } : {},
  };
}

export function readRepo(repo: StoredRepo, url: URL): HubAnswer {
  return { status: 200, body: repoView(repo, url.searchParams.getAll('expand')) };
}

/** Answers `GET /api/models/{id}/tree/{revision}`: the files below a path, a page at a time. */
export function listTree(repo: StoredRepo, folder: string, url: URL, pageSize: number): HubAnswer {
  const below = folder === '' ? '' : `${folder}/`;
  const inside = repo.stored.filter(({ path }) => path.startsWith(below));
  const isRecursive = url.searchParams.get('recursive') === 'true';
  const files = inside.filter(({ path }) => isRecursive || !path.slice(below.length).includes('/'));
  const folders = new Set(
    inside.flatMap(({ path }) => {
      const parts = path.slice(below.length).split('/');
      const depth = isRecursive ? parts.length - 1 : Math.min(1, parts.length - 1);
      return Array.from({ length: depth }, (_, index) => below + parts.slice(0, index + 1).join('/'));
    }),
  );
  const entries = [
    ...[...folders].map((path) => ({ type: 'directory', oid: repo.sha, size: 0, path })),
    ...files.map((file) => fileView(repo, file.path)),
  ];
  if (folder !== '' && entries.length === 0) return refusal(404, 'EntryNotFound', 'The folder does not exist');
  const start = Number(url.searchParams.get('cursor') ?? 0);
  return {
    status: 200,
    body: entries.slice(start, start + pageSize),
    headers: start + pageSize < entries.length ? { link: nextLink(url, start + pageSize) } : {},
  };
}

/** Answers `POST /api/models/{id}/paths-info/{revision}`: the existing ones of the paths. */
export function pathsInfo(repo: StoredRepo, paths: readonly string[]): HubAnswer {
  return { status: 200, body: paths.flatMap((path) => fileView(repo, path) ?? []) };
}

/** Builds a refusal, whose reason the hub names in headers. */
export function refusal(status: number, code: string, message: string): HubAnswer {
  return { status, body: { error: message }, headers: { 'x-error-code': code, 'x-error-message': message } };
}

function fileView(repo: StoredRepo, path: string) {
  const file = repo.stored.find((each) => each.path === path);
  if (file === undefined) return undefined;
  const { oid, sha256 } = file;
  const size = repo.listedSizes?.[path] ?? file.content.length;
  const lfs = sha256 === null ? {} : { lfs: { oid: sha256, size, pointerSize: POINTER_BYTES } };
  return { type: 'file', oid, size, path, ...lfs };
}

function tagsOf({ tags = [], library, license, pipelineTag }: StoredRepo): string[] {
  const facts = [library, pipelineTag, license === undefined ? undefined : `license:${license}`];
  return [...new Set([...tags, ...facts.filter((fact) => fact !== undefined)])];
}

/** Returns the fields of a repository: the usual ones without `expand`, with it only those. */
function repoView(repo: StoredRepo, expand: readonly string[]): Record<string, unknown> {
  const total = Object.values(repo.parameters ?? {}).reduce((sum, count) => sum + count, 0);
  const fields: Record<string, unknown> = {
    author: repo.id.split('/')[0],
    sha: repo.sha,
    private: repo.private ?? false,
    gated: repo.gated ?? false,
    disabled: false,
    pipeline_tag: repo.pipelineTag,
    library_name: repo.library,
    tags: tagsOf(repo),
    downloads: repo.downloads ?? 0,
    likes: repo.likes ?? 0,
    lastModified: repo.lastModified ?? '2025-01-01T00:00:00.000Z',
    createdAt: '2025-01-01T00:00:00.000Z',
    cardData: repo.license === undefined ? {} : { license: repo.license },
    siblings: repo.stored.map(({ path }) => ({ rfilename: path })),
    ...(repo.parameters === undefined ? {} : { safetensors: { parameters: repo.parameters, total } }),
  };
  const shown =
    expand.length === 0 ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => expand.includes(name)));
  return { _id: repo.sha.slice(0, 24), id: repo.id, modelId: repo.id, ...shown };
}

function orderOf(sort: string | null): (one: StoredRepo, other: StoredRepo) => number {
  if (sort === 'downloads' || sort === 'likes') return (one, other) => (other[sort] ?? 0) - (one[sort] ?? 0);
  return (one, other) => (other.lastModified ?? '').localeCompare(one.lastModified ?? '');
}

function nextLink(url: URL, cursor: number): string {
  const next = new URL(url);
  next.searchParams.set('cursor', String(cursor));
  return `<${next.href}>; rel="next"`;
}
