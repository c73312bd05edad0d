import { Schema, type Connection, type Model } from 'mongoose';
import { modelAvailabilityChanged } from '@clew/contracts';
import { modelOf, type Database, type Outbox } from '@clew/persistence';
import type { CapabilityRecord } from './capability-record.ts';

/** `_id` is `<project>:<model>`. */
type CapabilityDocument = CapabilityRecord & { _id: string };

const text = { type: String, required: true } as const;
const number = { type: Number, required: true } as const;

const capabilitySchema = new Schema<CapabilityDocument>(
  {
    _id: text,
    projectId: text,
    model: text,
    available: { type: Boolean, required: true },
    reason: { type: String, default: null },
    capabilities: { type: Schema.Types.Mixed, default: null },
    checkedAt: { type: Number, default: null },
    fingerprint: { type: String, default: null },
    revision: number,
    askedAt: number,
    dueAt: number,
  },
  { collection: 'capabilities', versionKey: false },
);
capabilitySchema.index({ projectId: 1, model: 1 }, { unique: true });
capabilitySchema.index({ dueAt: 1, _id: 1 });

export function capabilityModel(connection: Connection): Model<CapabilityDocument> {
  return modelOf(connection, 'Capability', capabilitySchema);
}

export interface CapabilityStore {
  find(projectId: string, model: string): Promise<CapabilityRecord | undefined>;
  /** Those of a project whose models begin so, at most a thousand. */
  list(projectId: string, prefix?: string): Promise<CapabilityRecord[]>;
  /** Stores a record, and tells others where its availability is another than before. */
  save(record: CapabilityRecord): Promise<void>;
  due(nowMs: number, limit: number): Promise<CapabilityRecord[]>;
  /** Forgets records that nobody has asked for since then. */
  remove(projectId: string, model: string): Promise<void>;
}

const MAX_LISTED = 1_000;

export function createCapabilityStore(database: Database, outbox: Outbox): CapabilityStore {
  const model = capabilityModel(database.connection);
  return {
    async find(projectId, name) {
      return fromDocument(await model.findOne({ projectId, model: name }).lean());
    },
    async list(projectId, prefix) {
      // The slash that ends the prefix is followed by the zero in the order of characters.
      const range = prefix === undefined ? {} : { model: { $gte: prefix, $lt: `${prefix.slice(0, -1)}0` } };
      const found = await model
        .find({ projectId, ...range })
        .limit(MAX_LISTED)
        .lean();
      return found.flatMap((document) => fromDocument(document) ?? []);
    },
    async save(record) {
      const { projectId, model: name, available, reason, askedAt } = record;
      const _id = `${projectId}:${name}`;
      await database.withTransaction(async (tx) => {
        const before = await model.findById(_id).session(tx).lean();
        const isSame = before !== null && before.available === available && before.reason === reason;
        const revision = (before?.revision ?? 0) + (isSame ? 0 : 1);
        await model.replaceOne({ _id }, { ...record, revision }, { upsert: true, session: tx });
        if (isSame) return;
        await outbox.append(tx, modelAvailabilityChanged, {
          key: `${_id}:${revision}`,
          projectId,
          requestId: null,
          occurredAt: Math.max(askedAt, record.checkedAt ?? 0),
          data: { model: name, available, reason },
        });
      });
    },
    async due(nowMs, limit) {
      const found = await model
        .find({ dueAt: { $lte: nowMs } })
        .sort({ dueAt: 1, _id: 1 })
        .limit(limit)
        .lean();
      return found.flatMap((document) => fromDocument(document) ?? []);
    },
    async remove(projectId, name) {
      await model.deleteOne({ _id: `${projectId}:${name}` });
    },
  };
}

function fromDocument(document: CapabilityDocument | null): CapabilityRecord | undefined {
  if (document === null) return undefined;
  const { _id, ...record } = document;
  return record;
}
