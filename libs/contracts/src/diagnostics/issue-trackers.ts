import { z } from 'zod';

/** Issue trackers that a work item can be handed to. */
export const TRACKERS = ['github', 'gitlab', 'jira', 'linear'] as const;
export type Tracker = (typeof TRACKERS)[number];

/** Other names of the providers. */
const ALIASES = { github: 'provider_1', gitlab: 'provider_2', jira: 'provider_3', linear: 'provider_4' } as const;
type TrackerAlias = (typeof ALIASES)[Tracker];

/** Provider by its name or its alias. */
export const TrackerName = z
  .enum([...TRACKERS, ...Object.values(ALIASES)])
  .transform(trackerOf)
  .meta({ description: '`provider_1` to `provider_4` are other names of `github`, `gitlab`, `jira` and `linear`' });

function trackerOf(name: Tracker | TrackerAlias): Tracker {
  return TRACKERS.find((tracker) => tracker === name || ALIASES[tracker] === name) ?? (name as Tracker);
}

/** One provider by its name or its alias, as the discriminator of a union. */
export function trackerNamed<const Name extends Tracker>(tracker: Name) {
  return z.enum([tracker, ALIASES[tracker]]).transform((): Name => tracker);
}

const RepoName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'must be the name of a repository')
  .refine((name) => name !== '.' && name !== '..', 'must be the name of a repository');
export const GitHubDestination = z.strictObject({
  owner: z.string().regex(/^[A-Za-z0-9][\w-]{0,99}$/, 'must be a user or an organization'),
  repo: RepoName,
});
export type GitHubDestination = z.infer<typeof GitHubDestination>;

const ProjectName = z
  .string()
  .max(500)
  .refine(
    (text) => /^[1-9]\d{0,15}$/.test(text) || isProjectPath(text),
    'must be the id of a project, or its path with all groups',
  );
/** Id of a project, or its path with all groups. */
export const GitLabDestination = z.strictObject({
  projectId: z.union([z.int().min(1).transform(String), z.string()]).pipe(ProjectName),
});
export type GitLabDestination = z.infer<typeof GitLabDestination>;

function isProjectPath(text: string): boolean {
  const names = text.split('/');
  return names.length >= 2 && names.every((name) => /^[A-Za-z0-9_][\w.-]{0,254}$/.test(name));
}

export const JiraDestination = z.strictObject({
  projectKey: z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'must be the key of a project, in capitals'),
  issueType: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'Id or name of the type; Bug, else Task, else the first that is no subtask' }),
});
export type JiraDestination = z.infer<typeof JiraDestination>;

export const LinearDestination = z.strictObject({ teamId: z.uuid() });
export type LinearDestination = z.infer<typeof LinearDestination>;

/** Place in an issue tracker where issues are made, as it is stored and answered. */
export const TrackerDestination = z
  .union([
    z.strictObject({ owner: z.string(), repo: z.string() }),
    z.strictObject({ projectId: z.string() }),
    z.strictObject({ projectKey: z.string(), issueType: z.string().optional() }),
    z.strictObject({ teamId: z.string() }),
  ])
  .meta({ id: 'TrackerDestination' });
export type TrackerDestination = z.infer<typeof TrackerDestination>;
