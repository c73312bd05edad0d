import { z } from 'zod';
import { isHexHmac, isOneOf } from './signatures.ts';
import { headersOf, UNSIGNED, type WebhookRules } from './webhook.ts';

const Payload = z.object({
  webhookEvent: z.string().optional(),
  issue: z.object({ id: z.union([z.string(), z.int().transform(String)]) }).optional(),
});

/** Jira signs the hooks that administrators set up with a secret; others have a secret in their address. */
export const jiraWebhook: WebhookRules = {
  refusalOf(delivery, { secrets }) {
    const signature = headersOf(delivery)('x-hub-signature');
    if (signature === undefined) return isOneOf(delivery.urlSecret, secrets) ? undefined : UNSIGNED;
    const hex = signature.startsWith('sha256=') ? signature.slice('sha256='.length) : undefined;
    return isHexHmac(hex, delivery.body, secrets) ? undefined : UNSIGNED;
  },
  deliveryIdOf: (header) => header('x-atlassian-webhook-identifier'),
  eventOf(json) {
    const payload = Payload.safeParse(json).data;
    if (payload === undefined) return undefined;
    const { webhookEvent = '', issue } = payload;
    if (!webhookEvent.startsWith('jira:issue_')) return { kind: 'other' };
    if (issue === undefined || !/^\d{1,18}$/.test(issue.id)) return undefined;
    const change = webhookEvent === 'jira:issue_deleted' ? 'deleted' : 'changed';
    return { kind: 'issue', externalId: issue.id, change };
  },
};
