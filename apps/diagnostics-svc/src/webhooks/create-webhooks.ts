import type { Route } from '@clew/http';
import type { Clock, CursorCodec } from '@clew/kernel';
import type { Mailer } from '@clew/mail';
import type { Broker } from '@clew/messaging';
import type { Outbound } from '@clew/outbound';
import { createInbox, type AuditTrail, type Database } from '@clew/persistence';
import type { BackgroundTask, Logger } from '@clew/runtime';
import type { SecretBox } from '@clew/secrets';
import { createDeliver } from './deliveries/deliver.ts';
import { createDeliveriesService } from './deliveries/deliveries.service.ts';
import { createDeliveryStore } from './deliveries/deliveries.store.ts';
import type { DeliveryPace } from './deliveries/delivery.ts';
import { consumeEvents } from './events/consume-events.ts';
import type { DescribeEventsOptions } from './events/describe-events.ts';
import { createTakeEvents, type TakeEvents } from './events/take-events.ts';
import { createRateWatchStore } from './registry/rate-watches.store.ts';
import { createWatchRates, type EstimateRate } from './rate/watch-rates.ts';
import { createWebhooksService } from './registry/webhooks.service.ts';
import { createWebhookStore } from './registry/webhooks.store.ts';
import { createSend } from './sending/send.ts';
import { webhookRoutes } from './webhooks.routes.ts';

export interface WebhooksOptions extends DescribeEventsOptions {
  database: Database;
  audit: AuditTrail;
  broker: Broker;
  outbound: Outbound;
  secrets: SecretBox;
  mailer: Mailer;
  estimateRate: EstimateRate;
  cursors: CursorCodec;
  clock: Clock;
  logger: Logger;
  pace: DeliveryPace & { timeoutMs: number; logDays: number };
  /** Address at which people reach Clew. */
  publicUrl: string;
  /** Pace of the loop that looks for due webhooks, which tests change. */
  pollMs?: number | undefined;
}

export interface Webhooks {
  readonly routes: Route[];
  start(): BackgroundTask[];
  /** Takes events as the consumers do. */
  readonly take: TakeEvents;
  /** Runs one round of deliveries; resolves with the number of webhooks that were due. */
  round(): Promise<number>;
  /** Estimates the failure rates that are due; resolves with their number. */
  watchRates(): Promise<number>;
  /** Removes deliveries that quote a conversation; resolves with their number. */
  eraseQuotes(projectId: string, conversationId: string): Promise<number>;
}

const INBOX_NAME = 'diagnostics-svc.webhook-events';

/** Wires outbound webhooks: what they are told, how it is sent, and their routes. */
export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { database, pace, clock, mailer } = options;
  const webhooks = createWebhookStore(database);
  const deliveries = createDeliveryStore(database, pace.logDays);
  const send = createSend({ ...options, timeoutMs: pace.timeoutMs });
  const deliver = createDeliver({ ...options, webhooks, deliveries, send });
  const wake = (webhookIds: readonly string[]) => deliver.wake(webhookIds);
  const watches = createRateWatchStore(database);
  const rates = createWatchRates({ ...options, webhooks, deliveries, watches, wake });
  const take = createTakeEvents({
    ...{ ...options, webhooks, deliveries, wake },
    inbox: createInbox(database, INBOX_NAME),
  });
  return {
    take,
    round: deliver.round,
    routes: webhookRoutes({
      clock,
      webhooks: createWebhooksService({
        ...{ ...options, webhooks, watches, hasMail: mailer.isOn },
        removeDeliveries: deliveries.removeOf,
      }),
      deliveries: createDeliveriesService({ ...options, webhooks, deliveries, send, wake }),
    }),
    watchRates: rates.round,
    start: () => [...consumeEvents({ ...options, take }), deliver.start(), rates.start(), mailer.start()],
    eraseQuotes: deliveries.removeQuoting,
  };
}
