import { gitHubExternalId, parseGitHubExternalId } from '../github/github-reference.ts';
import { gitLabExternalId, parseGitLabExternalId } from '../gitlab/gitlab-issue.ts';
import type { TrackerConnection } from '../tracker/connection.ts';

/** Longest text that is looked at. */
const MAX_LENGTH = 2_000;

export type ParsedReference = { ok: true; externalId: string } | { ok: false; message: string };

/**
 * Reads which issue people mean, by its URL or its short name (`acme/shop#12`, `#12` in the destination, `SHOP-12`).
 * The id is one for `read`, whose answer names the lasting id.
 */
export function parseReference(
  text: string,
  connection: Pick<TrackerConnection, 'provider' | 'baseUrl' | 'destination'>,
): ParsedReference {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_LENGTH) return unknown();
  const url = /^https?:\/\//i.test(trimmed) ? URL.parse(trimmed) : undefined;
  if (url === null) return unknown();
  if (url !== undefined && !isOfServer(url, connection)) {
    return { ok: false, message: 'The URL leads to another server than the one of this connection' };
  }
  const externalId = url === undefined ? fromName(trimmed, connection) : fromUrl(url, connection);
  return externalId === undefined ? unknown() : { ok: true, externalId };
}

function unknown(): ParsedReference {
  return { ok: false, message: 'This is neither the URL nor the key of an issue' };
}

type Place = Pick<TrackerConnection, 'provider' | 'baseUrl' | 'destination'>;

/** Linear's API and its pages have different hosts. */
function isOfServer(url: URL, { provider, baseUrl }: Place): boolean {
  if (provider === 'linear') return url.host === 'linear.app';
  const base = new URL(baseUrl);
  const host = url.host.replace(/^www\./, '');
  return host === base.host && `${url.pathname}/`.startsWith(`${base.pathname === '/' ? '' : base.pathname}/`);
}

function fromUrl(url: URL, { provider, baseUrl }: Place): string | undefined {
  const path = decoded(url.pathname.slice(new URL(baseUrl).pathname.replace(/^\/$/, '').length));
  switch (provider) {
    case 'github': {
      const [, name, number] = /^\/([^/]+\/[^/]+)\/issues\/(\d{1,15})\/?$/.exec(path) ?? [];
      return name === undefined ? undefined : gitHubIdOf(`${name}#${number}`);
    }
    case 'gitlab': {
      const [, name, number] = /^\/([\w./-]{1,500}?)(?:\/-)?\/(?:issues|work_items)\/(\d{1,15})\/?$/.exec(path) ?? [];
      return name === undefined ? undefined : gitLabIdOf(`${name}#${number}`);
    }
    case 'jira':
      return jiraKeyOf(/\/browse\/([^/]{1,120})\/?$/.exec(path)?.[1] ?? url.searchParams.get('selectedIssue') ?? '');
    case 'linear':
      return linearIdOf(/^\/[^/]{1,100}\/issue\/([^/]{1,60})(?:\/[^/]{0,500})?$/.exec(path)?.[1] ?? '');
  }
}

function fromName(name: string, { provider, destination }: Place): string | undefined {
  const [, number] = /^#?([1-9]\d{0,14})$/.exec(name) ?? [];
  switch (provider) {
    case 'github':
      if (number === undefined) return gitHubIdOf(name);
      return destination !== undefined && 'owner' in destination
        ? gitHubExternalId({ ...destination, number: Number(number) })
        : undefined;
    case 'gitlab':
      if (number === undefined) return gitLabIdOf(name);
      return destination !== undefined && 'projectId' in destination
        ? gitLabExternalId({ ...destination, iid: Number(number) })
        : undefined;
    case 'jira':
      return jiraKeyOf(name);
    case 'linear':
      return linearIdOf(name);
  }
}

function gitHubIdOf(name: string): string | undefined {
  return parseGitHubExternalId(name) === undefined ? undefined : name;
}

function gitLabIdOf(name: string): string | undefined {
  return parseGitLabExternalId(name) === undefined ? undefined : name;
}

function jiraKeyOf(name: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9_]{0,99}-[1-9]\d{0,14}$/.test(name) ? name.toUpperCase() : undefined;
}

function linearIdOf(name: string): string | undefined {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) return name.toLowerCase();
  return /^[A-Za-z][A-Za-z0-9]{0,30}-[1-9]\d{0,14}$/.test(name) ? name.toUpperCase() : undefined;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
