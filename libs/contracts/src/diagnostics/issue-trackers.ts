import { z } from 'zod';

/** Issue trackers that can be connected, in the order of their aliases `provider_1` to `provider_4`. */
export const TRACKER_PROVIDERS = ['github', 'gitlab', 'jira', 'linear'] as const;
export const TrackerProvider = z.enum(TRACKER_PROVIDERS).meta({ id: 'TrackerProvider' });
export type TrackerProvider = (typeof TRACKER_PROVIDERS)[number];

const ALIASES = ['provider_1', 'provider_2', 'provider_3', 'provider_4'] as const;
const OF_ALIAS: Readonly<Record<string, TrackerProvider>> = Object.fromEntries(
  ALIASES.map((alias, index) => [alias, TRACKER_PROVIDERS[index] as TrackerProvider]),
);

/** Provider as a request names it: by its name or its alias. */
export const TrackerProviderName = z
  .enum([...TRACKER_PROVIDERS, ...ALIASES])
  .transform((name) => OF_ALIAS[name] ?? (name as TrackerProvider))
  .meta({ description: '`provider_1` to `provider_4` stand for github, gitlab, jira and linear' });

/** One provider as a request names it, for the forms that depend on it. */
export function trackerNamed<Name extends TrackerProvider>(name: Name) {
  const alias = ALIASES[TRACKER_PROVIDERS.indexOf(name)] as (typeof ALIASES)[number];
  return z.enum([name, alias]).transform((): Name => name);
}

/** Addresses of the providers' own servers; a site of Jira has its own. */
export const TRACKER_BASE_URLS = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  linear: 'https://api.linear.app',
} as const;

const MAX_URL_LENGTH = 500;
const MAX_SECRET_LENGTH = 1_000;
/** Path of an API, which the adapters add themselves. */
const API_PATH = /\/(?:api\/v[34]|rest\/api\/[23]|graphql)$/i;

/** Base URL of a server as people see it, without the path of its API; trailing slashes are dropped. */
export const TrackerBaseUrl = z
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
export const TokenCredentials = z.strictObject({ token: Token });
export const JiraCredentials = z.strictObject({ email: z.email().max(320), token: Token });

const RepoName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'must be the name of a repository')
  .refine((name) => name !== '.' && name !== '..', 'must be the name of a repository');
export const GitHubDestination = z.strictObject({
  owner: z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/, 'must be a user or an organization'),
  repo: RepoName,
});
export type GitHubDestination = z.infer<typeof GitHubDestination>;

/** Id of a project, or its path with all groups. */
export const GitLabDestination = z.strictObject({
  projectId: z.union([z.int().min(1).transform(String), z.string()]).pipe(
    z
      .string()
      .max(500)
      .refine(
        (text) => /^[1-9]\d{0,15}$/.test(text) || isProjectPath(text),
        'must be the id of a project, or its path with all groups',
      ),
  ),
});
export type GitLabDestination = z.infer<typeof GitLabDestination>;

function isProjectPath(text: string): boolean {
  const names = text.split('/');
  return names.length >= 2 && names.every((name) => /^[A-Za-z0-9_][\w.-]{0,254}$/.test(name));
}

export const JiraDestination = z.strictObject({
  projectKey: z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'must be the key of a project, in capitals'),
  issueType: z.string().trim().min(1).max(100).optional().meta({
    description: 'Id or name of the type; Bug, else Task, else the first that is no subtask',
  }),
});
export type JiraDestination = z.infer<typeof JiraDestination>;

export const LinearDestination = z.strictObject({ teamId: z.uuid() });
export type LinearDestination = z.infer<typeof LinearDestination>;

/** Destination in the form of each provider. */
export const TRACKER_DESTINATIONS = {
  github: GitHubDestination,
  gitlab: GitLabDestination,
  jira: JiraDestination,
  linear: LinearDestination,
} as const;

/** Place where issues are created, in the form of its provider. */
export const TrackerDestination = z
  .union([GitHubDestination, GitLabDestination, JiraDestination, LinearDestination])
  .meta({ description: 'GitHub: owner and repo; GitLab: projectId; Jira: projectKey; Linear: teamId' });
export type TrackerDestination = z.infer<typeof TrackerDestination>;
