import { z } from 'zod';
import { GitHubDestination, GitLabDestination, JiraDestination, LinearDestination, TRACKERS } from '@clew/contracts';

export const PROVIDERS = TRACKERS;
export const Provider = z.enum(PROVIDERS);
export type Provider = (typeof PROVIDERS)[number];
export { GitHubDestination, GitLabDestination, JiraDestination, LinearDestination };

const MAX_URL_LENGTH = 500;
const MAX_SECRET_LENGTH = 1_000;
/** Path of an API, which the adapters add themselves. */
const API_PATH = /\/(?:api\/v[34]|rest\/api\/[23]|graphql)$/i;

/** Base URL of a server as people see it, without the path of its API; trailing slashes are dropped. */
export const BaseUrl = z
  .string()
  .max(MAX_URL_LENGTH)
  .transform((text, context) => {
    const url = URL.parse(text.trim());
    const problem = url === null ? 'must be a URL' : problemOf(url);
    if (url !== null && problem === undefined) return url.origin + pathOf(url);
    context.addIssue({ code: 'custom', message: problem ?? 'must be a URL' });
    return z.NEVER;
  });

function problemOf(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.search !== '' || url.hash !== '') return 'must not hold a query or fragment';
  if (API_PATH.test(pathOf(url))) return 'must be without the path of the API, such as /api/v3 or /api/v4';
  return undefined;
}

function pathOf({ pathname }: URL): string {
  let end = pathname.length;
  while (end > 0 && pathname.charAt(end - 1) === '/') end -= 1;
  return pathname.slice(0, end);
}

/** Token: a header can carry it as it is. */
const Token = z
  .string()
  .trim()
  .min(1)
  .max(MAX_SECRET_LENGTH)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
const TokenCredentials = z.strictObject({ token: Token });
const JiraCredentials = z.strictObject({ email: z.email().max(320), token: Token });

/** Everything that a tracker is opened with. The credentials are plain: they were decrypted for this one use. */
export const TrackerConnection = z.discriminatedUnion('provider', [
  z.strictObject({
    provider: z.literal('github'),
    baseUrl: BaseUrl.default('https://github.com'),
    credentials: TokenCredentials,
    destination: GitHubDestination.optional(),
  }),
  z.strictObject({
    provider: z.literal('gitlab'),
    baseUrl: BaseUrl.default('https://gitlab.com'),
    credentials: TokenCredentials,
    destination: GitLabDestination.optional(),
  }),
  z.strictObject({
    provider: z.literal('jira'),
    baseUrl: BaseUrl,
    credentials: JiraCredentials,
    destination: JiraDestination.optional(),
  }),
  z.strictObject({
    provider: z.literal('linear'),
    baseUrl: BaseUrl.default('https://api.linear.app'),
    credentials: TokenCredentials,
    destination: LinearDestination.optional(),
  }),
]);
export type TrackerConnection = z.infer<typeof TrackerConnection>;
export type ConnectionTo<Name extends Provider> = Extract<TrackerConnection, { provider: Name }>;

/** Marker of a work item or comment, by which it is found at the provider. Others cannot guess it. */
export const Marker = z.string().regex(/^[A-Za-z0-9_-]{8,80}$/);
