import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelOf, nativeDb } from '@clew/persistence';
import type { Delivery } from './delivery.ts';

export type DeliveryDocument = Omit<Delivery, 'id'> & {
  _id: string;
  /** Time at which the log forgets it. */
  expiresAt: Date;
};

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;
const mixed = { type: Schema.Types.Mixed } as const;

const deliverySchema = new Schema<DeliveryDocument>(
  {
    ...{ _id: text, projectId: text, webhookId: text, eventId: text, type: text, occurredAt: number },
    ...{ data: { ...mixed, required: true }, conversationIds: [String] },
    ...{ status: text, failureReason: { type: String }, createdAt: number, nextTryAt: { type: Number } },
    ...{ tried: number, round: number, tries: mixed, expiresAt: { type: Date, required: true } },
  },
  { collection: 'webhook_deliveries', versionKey: false },
);
deliverySchema.index({ projectId: 1, webhookId: 1, createdAt: -1, _id: -1 });
deliverySchema.index({ projectId: 1, webhookId: 1, status: 1, createdAt: -1, _id: -1 });
deliverySchema.index(
  { projectId: 1, webhookId: 1, nextTryAt: 1 },
  { partialFilterExpression: { nextTryAt: { $gt: 0 } } },
);
deliverySchema.index({ projectId: 1, conversationIds: 1 });
deliverySchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function deliveryModel(connection: Connection): Model<DeliveryDocument> {
  return modelOf(connection, 'WebhookDelivery', deliverySchema);
}

export function deliveryCollection(connection: Connection): mongo.Collection<DeliveryDocument> {
  return nativeDb(connection).collection(deliveryModel(connection).collection.name);
}
