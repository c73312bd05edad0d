import type { Clock } from '@clew/kernel';
import { createApi, type Api, type ApiRules, type Wait } from '../exchange/api.ts';
import type { Answer, HttpRequest, Purpose, TrackerFetch } from '../exchange/send.ts';
import { askedWait } from '../exchange/times.ts';
import type { ConnectionTo } from '../tracker/connection.ts';
import { JiraError } from './jira-answers.ts';

const MIN_WAIT_MS = 30_000;

const RULES: ApiRules = {
  name: 'Jira',
  waitOf: rateLimitOf,
  wordsOf({ json }) {
    const { errorMessages = [], errors = {}, message } = JiraError.safeParse(json).data ?? {};
    return [...errorMessages, ...Object.entries(errors).map(([field, problem]) => `${field}: ${problem}`), message];
  },
};

export interface JiraApi extends Api {
  request(purpose: Purpose, method: string, path: string, options?: RequestOptions): HttpRequest;
  /** Address of an issue for people. */
  urlOf(key: string): string;
}

interface RequestOptions {
  query?: Readonly<Record<string, string | number>>;
  body?: object;
}

export function createJiraApi(
  { baseUrl, credentials }: Pick<ConnectionTo<'jira'>, 'baseUrl' | 'credentials'>,
  fetch: TrackerFetch,
  clock: Clock,
): JiraApi {
  const basic = Buffer.from(`${credentials.email}:${credentials.token}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, accept: 'application/json', 'user-agent': 'clew' };
  return {
    ...createApi({ fetch, clock, rules: RULES, secrets: [credentials.token, basic] }),
    request(purpose, method, path, { query = {}, body } = {}) {
      const url = new URL(`${baseUrl}/rest/api/3${path}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
      if (body === undefined) return { method, url: url.href, headers, purpose };
      const jsonHeaders = { ...headers, 'content-type': 'application/json' };
      return { method, url: url.href, headers: jsonHeaders, body: JSON.stringify(body), purpose };
    },
    urlOf: (key) => `${baseUrl}/browse/${encodeURIComponent(key)}`,
  };
}

function rateLimitOf(answer: Answer, nowMs: number): Wait | undefined {
  if (answer.status !== 429) return undefined;
  const askedMs = askedWait(answer, nowMs);
  if (askedMs !== undefined) return { retryAfterMs: askedMs, isMinimum: false };
  const resetMs = Date.parse(answer.header('x-ratelimit-reset') ?? '');
  if (Number.isNaN(resetMs)) return { retryAfterMs: MIN_WAIT_MS, isMinimum: true };
  return { retryAfterMs: Math.max(0, resetMs - nowMs), isMinimum: false };
}
