import { z } from 'zod';
import { isHexHmac } from './signatures.ts';
import { jsonOf } from './json-of.ts';
import { headersOf, STALE, UNSIGNED, type WebhookRules } from './webhook.ts';

/** Age that Linear's guide allows. */
const MAX_AGE_MS = 60_000;

const Timed = z.object({ webhookTimestamp: z.number() });
const Payload = z.object({
  action: z.string(),
  type: z.string(),
  data: z.looseObject({ id: z.string(), trashed: z.boolean().nullish() }).optional(),
});

export const linearWebhook: WebhookRules = {
  refusalOf(delivery, { secrets, nowMs }) {
    if (!isHexHmac(headersOf(delivery)('linear-signature'), delivery.body, secrets)) return UNSIGNED;
    // The time is in the signed body; the header of the same name is not signed.
    const sent = Timed.safeParse(jsonOf(delivery.body)).data;
    return sent === undefined || Math.abs(nowMs - sent.webhookTimestamp) > MAX_AGE_MS ? STALE : undefined;
  },
  deliveryIdOf: (header) => header('linear-delivery'),
  eventOf(json) {
    const payload = Payload.safeParse(json).data;
    if (payload === undefined) return undefined;
    const { type, action, data } = payload;
    if (type !== 'Issue') return { kind: 'other' };
    if (data === undefined) return undefined;
    const isDeleted = action === 'remove' || data.trashed === true;
    return { kind: 'issue', externalId: data.id, change: isDeleted ? 'deleted' : 'changed' };
  },
};
