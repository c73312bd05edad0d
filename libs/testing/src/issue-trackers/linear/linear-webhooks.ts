import { createHmac } from 'node:crypto';
import type { BoardEvent } from '../board/issue-board.ts';
import type { TrackerDelivery } from '../board/loopback-tracker.ts';
import { issueView } from './linear-views.ts';

const ACTIONS: Readonly<Partial<Record<BoardEvent['kind'], string>>> = { opened: 'create', deleted: 'remove' };

/** Builds and signs the webhook of an event; its time is part of what is signed. */
export function signLinearDelivery({ kind, uid, atMs, issue }: BoardEvent, secret: string): TrackerDelivery {
  const view = issueView(issue);
  const payload = {
    ...{ action: ACTIONS[kind] ?? 'update', type: 'Issue', createdAt: new Date(atMs).toISOString() },
    data: { ...view, teamId: view.team.id, stateId: view.state.id },
    ...(kind === 'opened' || kind === 'deleted' ? {} : { updatedFrom: { updatedAt: new Date(atMs).toISOString() } }),
    ...{ url: view.url, webhookTimestamp: atMs, webhookId: 'a3b7a9c0-6d1f-4c49-9d3b-000000000009' },
  };
  const body = Buffer.from(JSON.stringify(payload));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Linear-Webhook',
    'linear-delivery': uid,
    'linear-event': 'Issue',
    'linear-signature': createHmac('sha256', secret).update(body).digest('hex'),
    'linear-timestamp': String(atMs),
  };
  return { headers, body };
}
