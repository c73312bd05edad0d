export { issueBody, issueDraft, type FindingFacts } from './body/issue-body.ts';
export { regressedComment, resolvedComment } from './body/comments.ts';
export type { TrackerFetch } from './exchange/send.ts';
export { openTracker, type TrackerOptions } from './open-tracker.ts';
export { parseReference, type ParsedReference } from './references/parse-reference.ts';
export { toAdf, type AdfDocument } from './text/adf.ts';
export { toMarkdown } from './text/markdown.ts';
export type { RichText } from './text/rich-text.ts';
export {
  BaseUrl,
  GitHubDestination,
  GitLabDestination,
  JiraDestination,
  LinearDestination,
  Marker,
  Provider,
  PROVIDERS,
  TrackerConnection,
} from './tracker/connection.ts';
export type {
  ChangedIssues,
  ChangesFrom,
  DoneReason,
  ExternalIssue,
  IssueDraft,
  IssueLink,
  IssueReading,
  IssueTracker,
  MarkerSearch,
  NewComment,
  PresentState,
  TargetState,
  TrackerCall,
  TrackerTest,
} from './tracker/issue-tracker.ts';
export type { Done, Later, Outcome, Refused, RefusalReason, Unknown } from './tracker/outcome.ts';
export { verifyWebhook } from './webhooks/verify-webhook.ts';
export type { VerifiedWebhook, WebhookDelivery, WebhookEvent, WebhookOptions } from './webhooks/webhook.ts';
