import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb, scheduleFields, type Database, type ScheduleFields } from '@clew/persistence';
import { WEBHOOKS_COLLECTION, type StoredWebhook } from './webhook.ts';

/** Stored webhook. It is due while deliveries of it wait for a try. */
export type WebhookDocument = Omit<StoredWebhook, 'id'> &
  ScheduleFields & {
    _id: string;
    /** Grows with every signal, so that a signal conflicts with a process that settles at the same time. */
    signals?: number;
  };

/** Number of a project's webhooks: every creation and deletion writes it, so that two of them conflict. */
export interface WebhookCountDocument {
  /** Id of the project. */
  _id: string;
  count: number;
}

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const mixed = { type: Schema.Types.Mixed } as const;

const webhookSchema = new Schema<WebhookDocument>(
  {
    ...{
      _id: text,
      projectId: text,
      url: text,
      events: [String],
      severities: [String],
      failureRateAbove: number,
      format: text,
      description: { type: String },
    },
    ...{ enabled: { type: Boolean, required: true }, disabledReason: { type: String }, disabledAt: { type: Number } },
    ...{ secret: { ...mixed, required: true }, previousSecret: mixed, previousSecretValidUntil: { type: Number } },
    ...{ revision: number, createdAt: number, updatedAt: number, signals: { type: Number } },
    ...{ failures: number, failingSince: { type: Number }, pausedUntil: number },
    ...scheduleFields,
  },
  { collection: WEBHOOKS_COLLECTION, versionKey: false },
);
webhookSchema.index({ projectId: 1, createdAt: -1, _id: -1 });

const countSchema = new Schema<WebhookCountDocument>(
  { _id: text, count: number },
  { collection: 'webhook_counts', versionKey: false },
);

export function webhookModel(connection: Connection): Model<WebhookDocument> {
  return modelOf(connection, 'Webhook', webhookSchema);
}

export function webhookCollection(connection: Connection): mongo.Collection<WebhookDocument> {
  return nativeDb(connection).collection(webhookModel(connection).collection.name);
}

export function webhookCountModel(connection: Connection): Model<WebhookCountDocument> {
  return modelOf(connection, 'WebhookCount', countSchema);
}

export function webhookCountCollection({ connection }: Database): mongo.Collection<WebhookCountDocument> {
  return nativeDb(connection).collection(webhookCountModel(connection).collection.name);
}
