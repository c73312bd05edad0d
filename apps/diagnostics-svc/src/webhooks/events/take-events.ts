import type { Clock } from '@clew/kernel';
import type { Database, Inbox } from '@clew/persistence';
import type { DeliveryStore } from '../deliveries/deliveries.store.ts';
import { newDelivery } from '../deliveries/delivery.ts';
import { wants } from '../registry/webhook.ts';
import type { WebhookStore } from '../registry/webhooks.store.ts';
import { createDescribeEvents, type DescribedEvent, type DescribeEventsOptions } from './describe-events.ts';
import type { ToldEvent } from './event-of.ts';

export interface TakeEventsDependencies extends DescribeEventsOptions {
  database: Database;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  inbox: Inbox;
  clock: Clock;
  /** Looks for due webhooks at once, of which these have new deliveries. */
  wake(webhookIds: readonly string[]): void;
}

export type TakeEvents = (events: readonly ToldEvent[]) => Promise<void>;

/**
 * Makes a delivery of each event for each webhook that wants it, in groups. Events that nobody wants cost one read of
 * the webhooks for all of them, and write nothing.
 */
export function createTakeEvents(deps: TakeEventsDependencies): TakeEvents {
  const { database, webhooks, deliveries, inbox, clock, wake } = deps;
  const describe = createDescribeEvents(deps);
  return async (events) => {
    const hooks = await webhooks.enabledOf([...new Set(events.map(({ projectId }) => projectId))]);
    const byProject = Map.groupBy(hooks, ({ projectId }) => projectId);
    const wantedBy = (event: ToldEvent) =>
      (byProject.get(event.projectId) ?? []).filter((webhook) => wants(webhook, event));
    const meant = events.filter((event) => wantedBy(event).length > 0);
    if (meant.length === 0) return;
    const wanted = (await describe(meant)).flatMap((event) =>
      wantedBy(event).map(({ id: webhookId }) => ({ event, webhookId })),
    );
    await database.withTransaction(async (tx) => {
      const nowMs = clock.now();
      // Signals come first: they may conflict with a process that settles, and then nothing else was done in vain.
      const webhookIds = [...new Set(wanted.map(({ webhookId }) => webhookId))];
      await webhooks.signal(tx, webhookIds, nowMs);
      const accepted = await inbox.accept(tx, [...new Set(meant.map(({ messageId }) => messageId))]);
      const fresh = wanted.filter(({ event }) => accepted.has(event.messageId));
      await deliveries.insert(
        tx,
        fresh.map(({ event, webhookId }) => newDelivery(deliveredOf(event, webhookId), nowMs)),
      );
      database.afterCommit(tx, () => wake(webhookIds));
    });
  };
}

function deliveredOf(
  { projectId, eventId, type, occurredAt, data, conversationIds }: DescribedEvent,
  webhookId: string,
) {
  return { projectId, webhookId, eventId, type, occurredAt, data, conversationIds };
}
