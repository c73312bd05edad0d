import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from '@clew/contracts';
import { answer, doerOf, preconditionOf, route, type RequestContext, type Route } from '@clew/http';
import type { Clock } from '@clew/kernel';
import type { DeliveriesService } from './deliveries/deliveries.service.ts';
import { webhookEtag, webhookView, type StoredWebhook } from './registry/webhook.ts';
import type { ChangeConditions, RevealedWebhook, WebhooksService } from './registry/webhooks.service.ts';

export interface WebhookServices {
  webhooks: WebhooksService;
  deliveries: DeliveriesService;
  clock: Clock;
}

export function webhookRoutes({ webhooks, deliveries, clock }: WebhookServices): Route[] {
  const view = (webhook: StoredWebhook) => webhookView(webhook, clock.now());
  const found = (webhook: StoredWebhook) => answer(200, view(webhook), { etag: webhookEtag(webhook) });
  const revealed = ({ webhook, secret }: RevealedWebhook) => ({ ...view(webhook), secret });
  return [
    route(createWebhook, async ({ params: { projectId }, body }, context) => {
      const created = await webhooks.create(projectId, body, doerOf(context));
      const location = `/v1/projects/${projectId}/webhooks/${created.webhook.id}`;
      return answer(201, revealed(created), { location, etag: webhookEtag(created.webhook) });
    }),
    route(listWebhooks, async ({ params, query }) => answer(200, await webhooks.list(params.projectId, query))),
    route(getWebhook, async ({ params }) => found(await webhooks.get(params))),
    route(updateWebhook, async ({ params, body }, context) =>
      found(await webhooks.update(params, body, conditionsOf(context))),
    ),
    route(deleteWebhook, async ({ params }, context) => {
      await webhooks.remove(params, conditionsOf(context));
      return answer(204, null);
    }),
    route(rotateWebhookSecret, async ({ params, body }, context) => {
      const rotated = await webhooks.rotate(params, body.graceMs, conditionsOf(context));
      return answer(200, revealed(rotated), { etag: webhookEtag(rotated.webhook) });
    }),
    route(testWebhook, async ({ params }, { signal }) => answer(200, await deliveries.test(params, signal))),
    route(listWebhookDeliveries, async ({ params, query }) => answer(200, await deliveries.list(params, query))),
    route(getWebhookDelivery, async ({ params }) => answer(200, await deliveries.get(params))),
    route(redeliverWebhook, async ({ params }) => answer(202, await deliveries.redeliver(params))),
  ];
}

function conditionsOf(context: RequestContext): ChangeConditions {
  const precondition = preconditionOf(context.request);
  return { doer: doerOf(context), check: (current) => precondition.check(webhookEtag(current)) };
}
