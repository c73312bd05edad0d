import { z } from 'zod';
import { gitLabExternalId } from '../gitlab/gitlab-issue.ts';
import { isOneOf, isStandardSignature } from './signatures.ts';
import { headersOf, STALE, UNSIGNED, type WebhookRules } from './webhook.ts';

/** Age that Standard Webhooks allows. */
const MAX_AGE_MS = 5 * 60_000;

const Payload = z.object({
  project: z.object({ id: z.int() }).optional(),
  object_attributes: z.object({ iid: z.int() }).optional(),
});

/** GitLab sends a plain token, or signs like Standard Webhooks; where it signs, only the signature counts. */
export const gitLabWebhook: WebhookRules = {
  refusalOf(delivery, { secrets, nowMs }) {
    const header = headersOf(delivery);
    const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(header);
    const token = header('x-gitlab-token');
    if (signatures === undefined) return isOneOf(token, secrets) ? undefined : UNSIGNED;
    if (id === undefined || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return UNSIGNED;
    if (!isStandardSignature({ id, timestamp, signatures }, delivery.body, secrets)) return UNSIGNED;
    return Math.abs(nowMs - Number(timestamp) * 1_000) > MAX_AGE_MS ? STALE : undefined;
  },
  deliveryIdOf: (header) => header('webhook-id') ?? header('idempotency-key'),
  eventOf(json, header) {
    const payload = Payload.safeParse(json).data;
    if (payload === undefined) return undefined;
    const event = header('x-gitlab-event');
    if (event !== 'Issue Hook' && event !== 'Confidential Issue Hook') return { kind: 'other' };
    const { project, object_attributes: issue } = payload;
    if (project === undefined || issue === undefined) return undefined;
    const externalId = gitLabExternalId({ projectId: String(project.id), iid: issue.iid });
    return { kind: 'issue', externalId, change: 'changed' };
  },
};
