import { z } from 'zod';
import { Moment } from '../exchange/moment.ts';

export const GitLabIssue = z.object({
  iid: z.int(),
  project_id: z.int(),
  title: z.string(),
  description: z.string().nullish(),
  state: z.enum(['opened', 'closed']),
  web_url: z.string(),
  created_at: Moment,
  updated_at: Moment,
  /** Id of the issue that this one was moved to, in another project. */
  moved_to_id: z.int().nullish(),
  references: z.object({ full: z.string() }).optional(),
  _links: z.object({ closed_as_duplicate_of: z.string().nullish() }).optional(),
});
export type GitLabIssue = z.infer<typeof GitLabIssue>;

export const GitLabIssues = z.array(GitLabIssue);
export const GitLabNotes = z.array(z.object({ body: z.string() }));
export const GitLabNote = z.object({ id: z.int() });
export const GitLabUser = z.object({ username: z.string() });
export const GitLabProject = z.object({
  path_with_namespace: z.string(),
  web_url: z.string(),
  archived: z.boolean().optional(),
  issues_enabled: z.boolean().optional(),
  issues_access_level: z.string().optional(),
});
/** Error: a sentence, or the sentences about each member of the request. */
export const GitLabError = z.object({
  message: z.union([z.string(), z.record(z.string(), z.array(z.string()))]).optional(),
  error: z.string().optional(),
});
