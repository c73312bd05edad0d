import { z } from 'zod';
import { Moment } from '../exchange/moment.ts';

export const GitHubIssue = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  state_reason: z.string().nullish(),
  html_url: z.string(),
  repository_url: z.string(),
  created_at: Moment,
  updated_at: Moment,
  /** Present in pull requests, which are listed among the issues. */
  pull_request: z.looseObject({}).nullish(),
});
export type GitHubIssue = z.infer<typeof GitHubIssue>;

export const GitHubIssues = z.array(GitHubIssue);
export const GitHubComments = z.array(z.object({ body: z.string().nullish() }));
export const GitHubUser = z.object({ login: z.string() });
export const GitHubRepository = z.object({
  full_name: z.string(),
  html_url: z.string(),
  has_issues: z.boolean(),
  archived: z.boolean(),
});
export const GitHubError = z.object({
  message: z.string().optional(),
  errors: z.array(z.looseObject({ message: z.string().optional(), field: z.string().optional() })).optional(),
});
