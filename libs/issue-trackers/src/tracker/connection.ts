import { z } from 'zod';
import {
  GitHubDestination,
  GitLabDestination,
  JiraCredentials,
  JiraDestination,
  LinearDestination,
  TokenCredentials,
  TRACKER_BASE_URLS,
  TRACKER_PROVIDERS as PROVIDERS,
  TrackerBaseUrl as BaseUrl,
  TrackerProvider as Provider,
} from '@clew/contracts';

export { BaseUrl, GitHubDestination, GitLabDestination, JiraDestination, LinearDestination, Provider, PROVIDERS };

/** Everything that a tracker is opened with. The credentials are plain: they were decrypted for this one use. */
export const TrackerConnection = z.discriminatedUnion('provider', [
  z.strictObject({
    provider: z.literal('github'),
    baseUrl: BaseUrl.default(TRACKER_BASE_URLS.github),
    credentials: TokenCredentials,
    destination: GitHubDestination.optional(),
  }),
  z.strictObject({
    provider: z.literal('gitlab'),
    baseUrl: BaseUrl.default(TRACKER_BASE_URLS.gitlab),
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
    baseUrl: BaseUrl.default(TRACKER_BASE_URLS.linear),
    credentials: TokenCredentials,
    destination: LinearDestination.optional(),
  }),
]);
export type TrackerConnection = z.infer<typeof TrackerConnection>;
export type ConnectionTo<Name extends Provider> = Extract<TrackerConnection, { provider: Name }>;

/** Marker of a work item or comment, by which it is found at the provider. Others cannot guess it. */
export const Marker = z.string().regex(/^[A-Za-z0-9_-]{8,80}$/);
