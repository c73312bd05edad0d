import { endpoint } from '@octokit/endpoint';
import type { Endpoints } from '@octokit/types';
import type { Clock } from '@clew/kernel';
import { createApi, type Api, type ApiRules, type Wait } from '../exchange/api.ts';
import type { Answer, HttpRequest, Purpose, TrackerFetch } from '../exchange/send.ts';
import { askedWait, numberIn } from '../exchange/times.ts';
import type { ConnectionTo } from '../tracker/connection.ts';
import { refused } from '../tracker/outcome.ts';
import { GitHubError } from './github-answers.ts';

/** Wait after a limit that the provider does not explain; it should grow. */
const MIN_WAIT_MS = 60_000;

const RULES: ApiRules = {
  name: 'GitHub',
  waitOf: rateLimitOf,
  wordsOf({ json }) {
    const { message, errors = [] } = GitHubError.safeParse(json).data ?? {};
    return [message, ...errors.map((error) => error.message)];
  },
  refusalOf({ status }) {
    if (status === 410) return refused('destination', 'Issues are disabled in this repository');
    if (status < 400) return refused('destination', 'The repository was renamed or moved: name the new one');
    return undefined;
  },
};

export interface GitHubApi extends Api {
  /** Address of the API, without a slash at the end. */
  readonly url: string;
  /** Builds the request of a route; names and parameters are checked by GitHub's description of its API. */
  request: RequestBuilder;
  /** Builds a request for an address that the API itself named. */
  follow(url: string): HttpRequest;
}

type RequestBuilder = <Route extends keyof Endpoints>(
  purpose: Purpose,
  route: Route,
  parameters: Endpoints[Route]['parameters'],
) => HttpRequest;

export function createGitHubApi(
  { baseUrl, credentials }: Pick<ConnectionTo<'github'>, 'baseUrl' | 'credentials'>,
  fetch: TrackerFetch,
  clock: Clock,
): GitHubApi {
  const url = gitHubApiUrl(baseUrl);
  const headers = {
    authorization: `Bearer ${credentials.token}`,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    'user-agent': 'clew',
  };
  return {
    ...createApi({ fetch, clock, rules: RULES, secrets: [credentials.token] }),
    url,
    request(purpose, route, parameters) {
      const built = endpoint(route, { ...parameters, baseUrl: url, headers });
      const body = built.body === undefined ? {} : { body: JSON.stringify(built.body) };
      return { method: built.method, url: built.url, headers: textHeaders(built.headers, body), ...body, purpose };
    },
    follow: (address) => ({ method: 'GET', url: address, headers, purpose: 'read' }),
  };
}

function textHeaders(headers: Readonly<Record<string, unknown>>, body: object): Record<string, string> {
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return { ...Object.fromEntries(texts), ...('body' in body ? { 'content-type': 'application/json' } : {}) };
}

/** Address of the API of a GitHub server: its own host for github.com and ghe.com, a path on one's own server. */
export function gitHubApiUrl(baseUrl: string): string {
  const { protocol, host } = new URL(baseUrl);
  if (host === 'github.com' || host === 'www.github.com' || host === 'api.github.com') return 'https://api.github.com';
  if (host.endsWith('.ghe.com')) return `${protocol}//${host.startsWith('api.') ? host : `api.${host}`}`;
  return `${baseUrl}/api/v3`;
}

/** Reads a rate limit, which comes with 429, or with 403 like a missing permission. */
function rateLimitOf(answer: Answer, nowMs: number): Wait | undefined {
  if (answer.status !== 403 && answer.status !== 429) return undefined;
  const askedMs = askedWait(answer, nowMs);
  if (askedMs !== undefined) return { retryAfterMs: askedMs, isMinimum: false };
  const resetS = numberIn(answer, 'x-ratelimit-reset');
  if (answer.header('x-ratelimit-remaining') === '0' && resetS !== undefined) {
    return { retryAfterMs: Math.max(0, resetS * 1_000 - nowMs), isMinimum: false };
  }
  const message = GitHubError.safeParse(answer.json).data?.message ?? '';
  const isLimit = answer.status === 429 || /rate limit/i.test(message);
  return isLimit ? { retryAfterMs: MIN_WAIT_MS, isMinimum: true } : undefined;
}
