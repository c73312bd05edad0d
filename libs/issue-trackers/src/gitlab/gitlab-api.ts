import type { Clock } from '@clew/kernel';
import { createApi, type Api, type ApiRules, type Wait } from '../exchange/api.ts';
import type { Answer, HttpRequest, Purpose, TrackerFetch } from '../exchange/send.ts';
import { askedWait, numberIn } from '../exchange/times.ts';
import type { ConnectionTo } from '../tracker/connection.ts';
import { GitLabError } from './gitlab-answers.ts';

const MIN_WAIT_MS = 60_000;

const RULES: ApiRules = { name: 'GitLab', waitOf: rateLimitOf, wordsOf };

export interface GitLabApi extends Api {
  request(purpose: Purpose, method: string, path: string, options?: RequestOptions): HttpRequest;
}

interface RequestOptions {
  query?: Readonly<Record<string, string | number>>;
  body?: Readonly<Record<string, unknown>>;
}

export function createGitLabApi(
  { baseUrl, credentials }: Pick<ConnectionTo<'gitlab'>, 'baseUrl' | 'credentials'>,
  fetch: TrackerFetch,
  clock: Clock,
): GitLabApi {
  const headers = { 'private-token': credentials.token, accept: 'application/json', 'user-agent': 'clew' };
  return {
    ...createApi({ fetch, clock, rules: RULES, secrets: [credentials.token] }),
    request(purpose, method, path, { query = {}, body } = {}) {
      const url = new URL(`${baseUrl}/api/v4${path}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      if (body === undefined) return { method, url: url.href, headers, purpose };
      const jsonHeaders = { ...headers, 'content-type': 'application/json' };
      return { method, url: url.href, headers: jsonHeaders, body: JSON.stringify(body), purpose };
    },
  };
}

function rateLimitOf(answer: Answer, nowMs: number): Wait | undefined {
  if (answer.status !== 429) return undefined;
  const askedMs = askedWait(answer, nowMs);
  if (askedMs !== undefined) return { retryAfterMs: askedMs, isMinimum: false };
  const resetS = numberIn(answer, 'ratelimit-reset');
  if (resetS === undefined) return { retryAfterMs: MIN_WAIT_MS, isMinimum: true };
  return { retryAfterMs: Math.max(0, resetS * 1_000 - nowMs), isMinimum: false };
}

function wordsOf({ json }: Answer): unknown[] {
  const { message, error } = GitLabError.safeParse(json).data ?? {};
  if (typeof message !== 'object') return [message, error];
  return Object.entries(message).map(([member, problems]) => `${member} ${problems.join(', ')}`);
}
