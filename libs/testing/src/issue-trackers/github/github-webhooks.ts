import { createHmac } from 'node:crypto';
import type { BoardEvent } from '../board/issue-board.ts';
import type { TrackerDelivery } from '../board/loopback-tracker.ts';

/** Builds and signs the webhook of an event. */
export function signGitHubDelivery(
  { kind, uid }: BoardEvent,
  payload: Record<string, unknown>,
  secret: string,
): TrackerDelivery {
  const body = Buffer.from(JSON.stringify({ action: kind, ...payload }));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/loopback',
    'x-github-event': 'issues',
    'x-github-delivery': uid,
    'x-github-hook-id': '1',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  return { headers, body };
}
