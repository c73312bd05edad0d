import type { mongo } from 'mongoose';
import { DEFAULT_FAILURE_RATE_ABOVE } from '@clew/contracts';
import type { Slice, SliceRequest } from '@clew/kernel';
import {
  NEWEST_FIRST,
  readSlice,
  settlement,
  type ClaimedTask,
  type Database,
  type KeysetList,
  type Transaction,
} from '@clew/persistence';
import type { Health, StoredWebhook } from './webhook.ts';
import { webhookCollection, webhookCountCollection, type WebhookDocument } from './webhook.model.ts';

export interface WebhookKey {
  projectId: string;
  webhookId: string;
}

export interface WebhookStore {
  insert(tx: Transaction, webhook: StoredWebhook): Promise<void>;
  get(key: WebhookKey, tx?: Transaction): Promise<StoredWebhook | undefined>;
  list(projectId: string, slice: SliceRequest): Promise<Slice<StoredWebhook>>;
  save(tx: Transaction, webhook: StoredWebhook): Promise<void>;
  remove(tx: Transaction, key: WebhookKey): Promise<void>;
  /** Adds to the number of a project's webhooks. Of two transactions that do so at a time, one is run again. */
  count(tx: Transaction, projectId: string, added: 1 | -1): Promise<number>;
  /** Reads the enabled webhooks of projects, in one query. */
  enabledOf(projectIds: readonly string[]): Promise<StoredWebhook[]>;
  /** Makes webhooks due at once, or after their pause, because deliveries were added. */
  signal(tx: Transaction, ids: readonly string[], nowMs: number): Promise<void>;
  /** Reads a webhook if the claim on it still holds. */
  held(claimed: ClaimedTask, tx?: Transaction): Promise<StoredWebhook | undefined>;
  /** Ends a claim; the webhook is due next at `dueAt`. */
  settle(tx: Transaction, claimed: ClaimedTask, dueAt: number | null): Promise<void>;
  /** Notes how a receiver does, unless people have changed the webhook since it was read. */
  setHealth(webhook: StoredWebhook, health: Health): Promise<void>;
  /** Disables a webhook that is as it was read; false if people have changed it since. */
  disable(webhook: StoredWebhook, reason: string, nowMs: number): Promise<boolean>;
}

const CONDITIONS = { severities: [], failureRateAbove: DEFAULT_FAILURE_RATE_ABOVE };

export const WEBHOOKS: KeysetList = { name: 'webhooks', order: NEWEST_FIRST };

export function createWebhookStore(database: Database): WebhookStore {
  const webhooks = webhookCollection(database.connection);
  const counts = webhookCountCollection(database);

  return {
    async insert(tx, { id: _id, ...webhook }) {
      await webhooks.insertOne({ _id, ...webhook }, { session: tx });
    },
    async get({ projectId, webhookId }, tx) {
      const found = await webhooks.findOne({ _id: webhookId, projectId }, sessionOf(tx));
      return found === null ? undefined : webhookOf(found);
    },
    list: (projectId, slice) => readSlice(webhooks, WEBHOOKS.order, { filter: { projectId }, ...slice }, webhookOf),
    async save(tx, { id: _id, projectId, ...set }) {
      await webhooks.updateOne({ _id, projectId }, { $set: set }, { session: tx });
    },
    async remove(tx, { projectId, webhookId }) {
      await webhooks.deleteOne({ _id: webhookId, projectId }, { session: tx });
    },
    async count(tx, projectId, added) {
      const changed = await counts.findOneAndUpdate(
        { _id: projectId },
        { $inc: { count: added } },
        { session: tx, upsert: true, returnDocument: 'after' },
      );
      return changed?.count ?? 0;
    },
    async enabledOf(projectIds) {
      const found = await webhooks.find({ projectId: { $in: [...projectIds] }, enabled: true }).toArray();
      return found.map(webhookOf);
    },
    async signal(tx, ids, nowMs) {
      await webhooks.updateMany({ _id: { $in: [...ids] } }, [{ $set: signalled(nowMs) }], { session: tx });
    },
    async held({ _id, claim }, tx) {
      const found = await webhooks.findOne({ _id, claim }, sessionOf(tx));
      return found === null ? undefined : webhookOf(found);
    },
    async settle(tx, claimed, dueAt) {
      const { filter, set } = settlement(claimed, { isDueAgain: false });
      await webhooks.updateOne(filter, { $set: { ...set, dueAt } }, { session: tx });
    },
    async setHealth({ id: _id, projectId, revision }, health) {
      await webhooks.updateOne({ _id, projectId, revision }, { $set: health });
    },
    async disable({ id: _id, projectId, revision }, disabledReason, nowMs) {
      const set = { enabled: false, disabledReason, disabledAt: nowMs, updatedAt: nowMs };
      const asRead = { _id, projectId, revision };
      const { modifiedCount } = await webhooks.updateOne(asRead, { $set: set, $inc: { revision: 1 } });
      return modifiedCount === 1;
    },
  };
}

/**
 * Due time after a signal: now, unless the receiver has a pause. The counter makes it a write in any case, so that a
 * process that settles at the same time is run again and sees the new deliveries.
 */
function signalled(nowMs: number) {
  const sooner = { $min: [nowMs, { $subtract: [{ $ifNull: ['$dueAt', nowMs + 1] }, 1] }] };
  return { dueAt: { $max: [sooner, '$pausedUntil'] }, signals: { $add: [{ $ifNull: ['$signals', 0] }, 1] } };
}

function sessionOf(tx: Transaction | undefined): mongo.FindOptions {
  return tx === undefined ? {} : { session: tx };
}

export function webhookOf(document: WebhookDocument): StoredWebhook {
  const { _id: id, signals: _s, dueAt: _d, leaseUntil: _l, claim: _c, attempts: _a, ...rest } = document;
  const { givenUpAt: _g, givenUpReason: _r, ...fields } = rest;
  // Webhooks that were made before there were conditions have none.
  return { id, ...CONDITIONS, ...fields };
}
