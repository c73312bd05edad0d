import { z } from 'zod';
import { JsonObject } from '../common/primitives.ts';
import { defineRoute } from '../route.ts';

export const ProviderDelivery = z
  .object({
    outcome: z.enum(['accepted', 'ignored', 'seen_before']).meta({
      description:
        'accepted: the issue is read again. ignored: it is about something else. seen_before: nothing changes',
    }),
  })
  .meta({ id: 'ProviderDelivery' });
export type ProviderDelivery = z.infer<typeof ProviderDelivery>;

/** Query that an address at the provider may have: anything, and for Jira the secret. */
const WebhookQuery = z.looseObject({
  secret: z.string().max(1_000).optional().meta({
    description: 'The secret of the connector, for webhooks of Jira without a signature',
  }),
});

export const receiveProviderWebhook = defineRoute({
  operationId: 'receiveProviderWebhook',
  service: 'diagnostics-svc',
  method: 'post',
  path: '/v1/webhooks/:provider/:connectorId',
  tag: 'Connectors',
  summary: 'Take a webhook of an issue tracker',
  description:
    'For the providers, which have no key: the delivery is verified with the webhook secret of the connector. One that is ' +
    'not, and one for an unknown connector, have the same answer. The issue that it names is read again; nothing else ' +
    'of it is trusted.',
  access: { kind: 'public' },
  params: z.object({ provider: z.string(), connectorId: z.string() }),
  query: WebhookQuery,
  takesAnyQuery: true,
  ownBody: { 'application/json': JsonObject, 'application/x-www-form-urlencoded': null },
  responses: { 200: ProviderDelivery, 202: ProviderDelivery },
  errors: ['CONNECTOR_NOT_FOUND', 'WEBHOOK_REFUSED', 'RATE_LIMITED', 'FINDING_WORK_ITEMS_UNAVAILABLE'],
});
