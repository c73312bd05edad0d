import type { Connection } from 'mongoose';
import { webhookCollection } from '../registry/webhook.model.ts';
import { wantsType } from '../registry/webhook.ts';
import { rateWatchCollection } from '../registry/rate-watch.model.ts';

/** Adds the watches of webhooks that have chosen all events, which were made before there was this one. */
export async function addRateWatches(connection: Connection): Promise<void> {
  const watches = rateWatchCollection(connection);
  for await (const webhook of webhookCollection(connection).find()) {
    if (!wantsType(webhook, 'failure_rate.exceeded')) continue;
    const { _id, projectId } = webhook;
    const added = { projectId, isAbove: false, attempts: 0, dueAt: webhook.updatedAt };
    await watches.updateOne({ _id }, { $setOnInsert: added }, { upsert: true });
  }
}
