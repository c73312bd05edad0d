import type { Database, Transaction } from '@clew/persistence';
import { wantsType, type StoredWebhook } from './webhook.ts';
import type { WebhookKey } from './webhooks.store.ts';
import { rateWatchCollection } from './rate-watch.model.ts';

/** Keeps the watches over failure rates in step with the webhooks that want to be told. */
export interface RateWatchStore {
  /**
   * Has the rate estimated soon, if the webhook wants it. One that is new, has another bound, or was switched, is told
   * as if the rate had been below the bound.
   */
  keep(
    tx: Transaction,
    webhook: StoredWebhook,
    how: { before: StoredWebhook | undefined; nowMs: number },
  ): Promise<void>;
  note(tx: Transaction, webhookId: string, isAbove: boolean): Promise<void>;
  remove(tx: Transaction, key: WebhookKey): Promise<void>;
}

export function createRateWatchStore({ connection }: Pick<Database, 'connection'>): RateWatchStore {
  const watches = rateWatchCollection(connection);
  const remove = async (tx: Transaction, { projectId, webhookId }: WebhookKey) => {
    await watches.deleteOne({ _id: webhookId, projectId }, { session: tx });
  };
  return {
    remove,
    async keep(tx, webhook, { before, nowMs }) {
      const { id: webhookId, projectId } = webhook;
      if (!wantsType(webhook, 'failure_rate.exceeded')) return await remove(tx, { projectId, webhookId });
      const isAnew = before?.failureRateAbove !== webhook.failureRateAbove || before.enabled !== webhook.enabled;
      const set = { projectId, dueAt: nowMs, ...(isAnew ? { isAbove: false } : {}) };
      const added = { attempts: 0, ...(isAnew ? {} : { isAbove: false }) };
      await watches.updateOne({ _id: webhookId }, { $set: set, $setOnInsert: added }, { session: tx, upsert: true });
    },
    async note(tx, webhookId, isAbove) {
      await watches.updateOne({ _id: webhookId }, { $set: { isAbove } }, { session: tx });
    },
  };
}
