import { PING, type DeliveryStatus, type WebhookDelivery, type WebhookTest } from '@clew/contracts';
import {
  AppError,
  createFairLimiter,
  newId,
  notFound,
  page,
  type Clock,
  type CursorCodec,
  type PageQuery,
} from '@clew/kernel';
import type { Database } from '@clew/persistence';
import { SecretUnreadableError, type SecretBox } from '@clew/secrets';
import { webhookNotFound } from '../registry/webhooks.service.ts';
import type { WebhookKey, WebhookStore } from '../registry/webhooks.store.ts';
import type { Send } from '../sending/send.ts';
import { receiverOf } from './serve-webhook.ts';
import { DELIVERIES, type DeliveryKey, type DeliveryStore } from './deliveries.store.ts';
import { deliveryView, tryOf, type Delivery } from './delivery.ts';

export interface DeliveriesDependencies {
  database: Database;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  secrets: SecretBox;
  send: Send;
  cursors: CursorCodec;
  clock: Clock;
  /** Looks for due webhooks at once, of which these have new deliveries. */
  wake(webhookIds: readonly string[]): void;
}

/** Tests under way in one process, and of one project: a receiver that hangs costs its own project. */
const TESTS = { places: 32, share: 4 } as const;

export type DeliveriesService = ReturnType<typeof createDeliveriesService>;

export function createDeliveriesService(deps: DeliveriesDependencies) {
  const { database, webhooks, deliveries, secrets, send, cursors, clock } = deps;
  const tests = createFairLimiter(TESTS);

  async function requireWebhook(key: WebhookKey) {
    const webhook = await webhooks.get(key);
    if (webhook === undefined) throw webhookNotFound();
    return webhook;
  }

  return {
    async list(key: WebhookKey, { status, ...query }: PageQuery & { status?: DeliveryStatus | undefined }) {
      await requireWebhook(key);
      const { projectId, webhookId } = key;
      const request = { projectId, filters: { webhookId, status }, ...query };
      const { items, nextCursor } = await page(cursors, DELIVERIES, request, (slice) =>
        deliveries.list(key, status, slice),
      );
      return { deliveries: items.map(deliveryView), nextCursor };
    },

    async get(key: DeliveryKey): Promise<WebhookDelivery> {
      await requireWebhook(key);
      return deliveryView(requireDelivery(await deliveries.get(key)));
    },

    async redeliver(key: DeliveryKey): Promise<WebhookDelivery> {
      const nowMs = clock.now();
      const again = await database.withTransaction(async (tx) => {
        const webhook = await webhooks.get(key, tx);
        if (webhook === undefined) throw webhookNotFound();
        const delivery = requireDelivery(await deliveries.get(key, tx));
        if (!webhook.enabled) throw new AppError('WEBHOOK_DISABLED', 'The webhook is disabled: enable it first');
        await deliveries.beginAgain(tx, delivery, nowMs);
        // A person does not wait for the pause of a receiver that failed.
        await webhooks.save(tx, { ...webhook, pausedUntil: 0 });
        await webhooks.signal(tx, [webhook.id], nowMs);
        return { ...delivery, status: 'pending' as const, failureReason: null, nextTryAt: nowMs };
      });
      deps.wake([key.webhookId]);
      return deliveryView(again);
    },

    /** Sends a ping, which is in no log, and tells what came back. */
    async test(key: WebhookKey, signal: AbortSignal): Promise<WebhookTest> {
      const webhook = await requireWebhook(key);
      const { projectId, id: webhookId } = webhook;
      const nowMs = clock.now();
      const ping = { eventId: newId('evt'), type: PING.type, occurredAt: nowMs, data: { projectId, webhookId } };
      const receiver = readable(() => receiverOf(webhook, secrets, nowMs));
      const outcome = await tests.run([projectId], () => send(receiver, [ping], signal), signal);
      if (outcome === undefined) throw signal.reason;
      const { at: _at, ...seen } = tryOf(outcome);
      return { ok: outcome.ok, ...seen };
    },
  };
}

function requireDelivery(delivery: Delivery | undefined): Delivery {
  if (delivery === undefined) throw notFound('WEBHOOK_DELIVERY_NOT_FOUND', 'The delivery does not exist');
  return delivery;
}

function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SecretUnreadableError)) throw error;
    throw new AppError('INTERNAL_ERROR', error.message, { cause: error });
  }
}
