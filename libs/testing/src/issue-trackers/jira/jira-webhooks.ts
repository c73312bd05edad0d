import { createHmac } from 'node:crypto';
import type { BoardEvent } from '../board/issue-board.ts';
import type { TrackerDelivery } from '../board/loopback-tracker.ts';
import { issueView, type HostedJiraProject } from './jira-views.ts';

const EVENTS: Readonly<Partial<Record<BoardEvent['kind'], string>>> = {
  opened: 'jira:issue_created',
  deleted: 'jira:issue_deleted',
};

/** Builds the webhook of an event. Hooks that an administrator set up are signed; others are not. */
export function signJiraDelivery(
  { kind, uid, atMs, issue }: BoardEvent,
  project: HostedJiraProject,
  secret: string | undefined,
): TrackerDelivery {
  const payload = {
    timestamp: atMs,
    webhookEvent: EVENTS[kind] ?? 'jira:issue_updated',
    issue: issueView(issue, project, ['*all']),
    changelog: { id: '10001', items: [{ field: 'status', fieldtype: 'jira', from: '10000', to: '10002' }] },
  };
  const body = Buffer.from(JSON.stringify(payload));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Atlassian HttpClient',
    'x-atlassian-webhook-identifier': uid,
    'x-atlassian-webhook-flow': 'Primary',
  };
  if (secret === undefined) return { headers, body };
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return { headers: { ...headers, 'x-hub-signature': `sha256=${signature}` }, body };
}
