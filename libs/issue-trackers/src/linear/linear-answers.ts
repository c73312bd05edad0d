import { z } from 'zod';
import { Moment } from '../exchange/moment.ts';

export const LinearIssue = z.object({
  id: z.string(),
  identifier: z.string(),
  url: z.string(),
  title: z.string(),
  updatedAt: Moment,
  /** True for a deleted issue, until its time in the bin is over. */
  trashed: z.boolean().nullish(),
  state: z.object({ name: z.string(), type: z.string() }),
  team: z.object({ id: z.string() }),
});
export type LinearIssue = z.infer<typeof LinearIssue>;

export const IssueData = z.object({ issue: LinearIssue });
export const IssuesData = z.object({
  issues: z.object({
    nodes: z.array(LinearIssue),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  }),
});
export const ViewerData = z.object({ viewer: z.object({ id: z.string(), name: z.string() }) });
export const TeamData = z.object({
  team: z.object({ id: z.string(), key: z.string(), name: z.string(), organization: z.object({ urlKey: z.string() }) }),
});
export const StatesData = z.object({
  workflowStates: z.object({ nodes: z.array(z.object({ id: z.string(), type: z.string(), position: z.number() })) }),
});
export const CommentData = z.object({ comment: z.object({ id: z.string() }) });
export const CreatedData = z.object({ issueCreate: z.object({ success: z.literal(true), issue: LinearIssue }) });
export const UpdatedData = z.object({ issueUpdate: z.object({ success: z.literal(true) }) });
export const CommentedData = z.object({ commentCreate: z.object({ success: z.literal(true) }) });

export const LinearError = z.object({
  message: z.string().optional(),
  extensions: z
    .object({
      code: z.string().optional(),
      type: z.string().optional(),
      userPresentableMessage: z.string().optional(),
    })
    .optional(),
});
export type LinearError = z.infer<typeof LinearError>;
export const LinearBody = z.object({ data: z.unknown().optional(), errors: z.array(LinearError).optional() });
