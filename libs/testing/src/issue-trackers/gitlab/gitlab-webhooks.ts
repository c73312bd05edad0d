import { createHmac } from 'node:crypto';
import { isDone, type BoardEvent } from '../board/issue-board.ts';
import type { TrackerDelivery } from '../board/loopback-tracker.ts';
import type { HostedProject } from './gitlab-views.ts';

const ACTIONS: Readonly<Record<BoardEvent['kind'], string | undefined>> = {
  ...{ opened: 'open', edited: 'update', closed: 'close', reopened: 'reopen', transferred: 'close' },
  deleted: 'update',
};

/** Builds the webhook of an event, with the plain token; and with a signature if the hook has a signing token. */
export function signGitLabDelivery(
  { kind, uid, atMs, issue }: BoardEvent,
  { id, path, webUrl }: HostedProject,
  { token, signingToken }: { token: string; signingToken: string | undefined },
): TrackerDelivery {
  const state = isDone(issue.state) || kind === 'transferred' ? 'closed' : 'opened';
  const payload = {
    ...{ object_kind: 'issue', event_type: 'issue', user: { id: 7, username: 'clew-bot' } },
    project: { id, name: path.split('/').at(-1), path_with_namespace: path, web_url: `${webUrl}/${path}` },
    object_attributes: {
      ...{ id: issue.id, iid: issue.number, project_id: id, title: issue.title, description: issue.body, state },
      ...{ action: ACTIONS[kind], updated_at: new Date(atMs).toISOString() },
    },
    changes: {},
  };
  const body = Buffer.from(JSON.stringify(payload));
  return { headers: { ...plainHeaders(uid, token), ...signature(uid, atMs, body, signingToken) }, body };
}

function plainHeaders(uid: string, token: string): Record<string, string> {
  return {
    ...{ 'content-type': 'application/json', 'user-agent': 'GitLab/18.6.0', 'x-gitlab-event': 'Issue Hook' },
    ...{ 'x-gitlab-token': token, 'idempotency-key': uid, 'x-gitlab-webhook-uuid': uid },
  };
}

function signature(id: string, atMs: number, body: Buffer, signingToken?: string): Record<string, string> {
  if (signingToken === undefined) return {};
  const timestamp = String(Math.floor(atMs / 1_000));
  const key = Buffer.from(signingToken.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${digest}` };
}
