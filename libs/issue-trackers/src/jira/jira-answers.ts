import { z } from 'zod';
import { Moment } from '../exchange/moment.ts';

const StatusCategory = z.object({ key: z.string() });
export const JiraStatus = z.object({ name: z.string(), statusCategory: StatusCategory.optional() });

export const JiraIssue = z.object({
  id: z.string(),
  key: z.string(),
  fields: z.object({
    summary: z.string(),
    status: JiraStatus,
    resolution: z.object({ name: z.string() }).nullish(),
    updated: Moment,
    created: Moment.optional(),
    labels: z.array(z.string()).nullish(),
    description: z.unknown().optional(),
  }),
});
export type JiraIssue = z.infer<typeof JiraIssue>;

export const JiraCreated = z.object({ id: z.string(), key: z.string() });
export const JiraSearch = z.object({
  issues: z.array(JiraIssue),
  isLast: z.boolean().optional(),
  nextPageToken: z.string().nullish(),
});
/** Transition of an issue; the state that it leads to is not always named. */
export const JiraTransition = z.object({ id: z.string(), name: z.string(), to: JiraStatus.nullish() });
export type JiraTransition = z.infer<typeof JiraTransition>;
export const JiraTransitions = z.object({ transitions: z.array(JiraTransition) });
export const JiraUser = z.object({ accountId: z.string(), displayName: z.string().optional() });
export const JiraIssueType = z.object({ id: z.string(), name: z.string(), subtask: z.boolean().optional() });
export type JiraIssueType = z.infer<typeof JiraIssueType>;
export const JiraProject = z.object({
  key: z.string(),
  name: z.string(),
  issueTypes: z.array(JiraIssueType).optional(),
});
export const JiraPermissions = z.object({
  permissions: z.record(z.string(), z.object({ havePermission: z.boolean() })),
});
export const JiraComments = z.object({
  comments: z.array(z.object({ body: z.unknown().optional() })),
  total: z.int().optional(),
});
export const JiraComment = z.object({ id: z.string() });
export const JiraError = z.object({
  errorMessages: z.array(z.string()).optional(),
  errors: z.record(z.string(), z.string()).optional(),
  message: z.string().optional(),
});
