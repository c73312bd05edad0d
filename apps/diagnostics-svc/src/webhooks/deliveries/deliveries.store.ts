import type { DeliveryStatus } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import { NEWEST_FIRST, readSlice, type Database, type KeysetList, type Transaction } from '@clew/persistence';
import type { StoredWebhook } from '../registry/webhook.ts';
import type { WebhookKey } from '../registry/webhooks.store.ts';
import type { TryOutcome } from '../sending/send.ts';
import { MAX_KEPT_TRIES, tryOf, type AfterTry, type Delivery } from './delivery.ts';
import { deliveryCollection, type DeliveryDocument } from './delivery.model.ts';

export interface DeliveryKey extends WebhookKey {
  deliveryId: string;
}

type OfWebhook = Pick<StoredWebhook, 'id' | 'projectId'>;

/** A try of a delivery, and what becomes of the delivery by it. */
export interface NotedTry {
  delivery: Delivery;
  outcome: TryOutcome;
  after: AfterTry;
}

export interface DeliveryStore {
  insert(tx: Transaction, deliveries: readonly Delivery[]): Promise<void>;
  get(key: DeliveryKey, tx?: Transaction): Promise<Delivery | undefined>;
  list(key: WebhookKey, status: DeliveryStatus | undefined, slice: SliceRequest): Promise<Slice<Delivery>>;
  /** Reads deliveries of a webhook whose try is due, those due the longest first. */
  due(webhook: OfWebhook, nowMs: number, limit: number): Promise<Delivery[]>;
  /** Time of the next try of a webhook. */
  nextTryAt(tx: Transaction, webhook: OfWebhook): Promise<number | undefined>;
  /** Adds tries to the log, in one command. A delivery that was asked for again meanwhile stays as it is. */
  note(tried: readonly NotedTry[]): Promise<void>;
  /** Makes a delivery due once more, from the beginning. */
  beginAgain(tx: Transaction, delivery: Delivery, nowMs: number): Promise<void>;
  /** Ends all deliveries of a webhook that wait for a try. */
  failWaiting(webhook: OfWebhook, reason: string): Promise<void>;
  /** Counts those that wait for a try, up to a limit. */
  countWaiting(webhook: OfWebhook, limit: number): Promise<number>;
  removeOf(key: WebhookKey): Promise<void>;
  /** Removes those that quote a conversation; resolves with their number. */
  removeQuoting(projectId: string, conversationId: string): Promise<number>;
}

export const DELIVERIES: KeysetList = { name: 'webhook deliveries', order: NEWEST_FIRST };

const DAY_MS = 86_400_000;
const WAITING = { nextTryAt: { $gt: 0 } };

export function createDeliveryStore({ connection }: Pick<Database, 'connection'>, logDays: number): DeliveryStore {
  const deliveries = deliveryCollection(connection);
  const of = ({ id, projectId }: OfWebhook) => ({ projectId, webhookId: id });

  function documentOf({ id: _id, ...delivery }: Delivery): DeliveryDocument {
    return { _id, ...delivery, expiresAt: new Date(delivery.createdAt + logDays * DAY_MS) };
  }

  return {
    async insert(tx, some) {
      if (some.length > 0) await deliveries.insertMany(some.map(documentOf), { session: tx });
    },
    async get({ projectId, webhookId, deliveryId }, tx) {
      const options = tx === undefined ? {} : { session: tx };
      const found = await deliveries.findOne({ _id: deliveryId, projectId, webhookId }, options);
      return found === null ? undefined : deliveryOf(found);
    },
    list({ projectId, webhookId }, status, slice) {
      const filter = { projectId, webhookId, ...(status === undefined ? {} : { status }) };
      return readSlice(deliveries, DELIVERIES.order, { filter, ...slice }, deliveryOf);
    },
    async due(webhook, nowMs, limit) {
      const filter = { ...of(webhook), nextTryAt: { $gt: 0, $lte: nowMs } };
      const found = await deliveries.find(filter, { sort: { nextTryAt: 1 }, limit }).toArray();
      return found.map(deliveryOf);
    },
    async nextTryAt(tx, webhook) {
      const options = { session: tx, sort: { nextTryAt: 1 as const }, projection: { nextTryAt: 1 } };
      const found = await deliveries.findOne({ ...of(webhook), ...WAITING }, options);
      return found?.nextTryAt ?? undefined;
    },
    async note(tried) {
      const writes = tried.map(({ delivery: { id: _id, projectId, round }, outcome, after }) => ({
        updateOne: {
          filter: { _id, projectId, round },
          update: { $set: after, $push: { tries: { $each: [tryOf(outcome)], $slice: -MAX_KEPT_TRIES } } },
        },
      }));
      if (writes.length > 0) await deliveries.bulkWrite(writes, { ordered: false });
    },
    async beginAgain(tx, { id: _id, projectId }, nowMs) {
      const set = { status: 'pending' as const, failureReason: null, nextTryAt: nowMs, tried: 0 };
      await deliveries.updateOne({ _id, projectId }, { $set: set, $inc: { round: 1 } }, { session: tx });
    },
    async failWaiting(webhook, failureReason) {
      const set = { status: 'failed' as const, failureReason, nextTryAt: null };
      await deliveries.updateMany({ ...of(webhook), ...WAITING }, { $set: set });
    },
    async countWaiting(webhook, limit) {
      return await deliveries.countDocuments({ ...of(webhook), ...WAITING }, { limit });
    },
    async removeOf({ projectId, webhookId }) {
      await deliveries.deleteMany({ projectId, webhookId });
    },
    async removeQuoting(projectId, conversationId) {
      const { deletedCount } = await deliveries.deleteMany({ projectId, conversationIds: conversationId });
      return deletedCount;
    },
  };
}

function deliveryOf({ _id: id, expiresAt: _expires, ...delivery }: DeliveryDocument): Delivery {
  return { id, ...delivery };
}
