import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelAvailabilityChanged } from '@clew/contracts';
import { dueFields, modelOf, nativeDb, type Database, type DueFields, type Outbox } from '@clew/persistence';
import { LOOK_AGAIN_MS, type CapabilityRecord } from './capability-record.ts';

/** `_id` is `<project>:<model>`. */
type StoredRecord = CapabilityRecord & { _id: string };
/** It is due when it is looked at again by itself. */
export type CapabilityDocument = StoredRecord & DueFields;

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
    ...dueFields,
  },
  { collection: 'capabilities', versionKey: false },
);
capabilitySchema.index({ projectId: 1, model: 1 }, { unique: true });

export function capabilityModel(connection: Connection): Model<CapabilityDocument> {
  return modelOf(connection, 'Capability', capabilitySchema);
}

export function capabilityCollection(connection: Connection): mongo.Collection<CapabilityDocument> {
  return nativeDb(connection).collection(capabilityModel(connection).collection.name);
}

/** All that can be known of the models of a provider. */
export function ofProvider(projectId: string, provider: string) {
  // The slash behind its name is followed by the zero in the order of characters.
  return { projectId, model: { $gte: `${provider}/`, $lt: `${provider}0` } };
}

export interface CapabilityStore {
  find(projectId: string, model: string): Promise<CapabilityRecord | undefined>;
  /** Those of a project, at most a thousand. */
  list(projectId: string): Promise<CapabilityRecord[]>;
  /** Stores a record, and tells others where its availability is another than before. */
  save(record: CapabilityRecord): Promise<void>;
  /** Has a model looked at soon of which nothing is known; until then it stays so. */
  expect(projectId: string, model: string, nowMs: number): Promise<void>;
  /** Forgets records that nobody has asked for since then. */
  remove(projectId: string, model: string): Promise<void>;
}

const MAX_LISTED = 1_000;
/** A model that was never looked at has a row that is due, and says nothing; a look makes the revision grow. */
const NEVER_LOOKED_AT = 0;
/** What belongs to claims must not be saved with a record. */
const WITHOUT_DUE_FIELDS = Object.fromEntries(Object.keys(dueFields).map((name) => [name, 0]));

export function createCapabilityStore(database: Database, outbox: Outbox): CapabilityStore {
  const model = capabilityModel(database.connection);
  return {
    async find(projectId, name) {
      return fromDocument(await model.findOne({ projectId, model: name }, WITHOUT_DUE_FIELDS).lean<StoredRecord>());
    },
    async list(projectId) {
      const found = await model
        .find({ projectId, revision: { $gt: NEVER_LOOKED_AT } }, WITHOUT_DUE_FIELDS)
        .limit(MAX_LISTED)
        .lean<StoredRecord[]>();
      return found.flatMap((document) => fromDocument(document) ?? []);
    },
    async save(record) {
      const { projectId, model: name, available, reason, askedAt } = record;
      const _id = `${projectId}:${name}`;
      await database.withTransaction(async (tx) => {
        const before = await model.findById(_id).session(tx).lean();
        const known = before?.revision === NEVER_LOOKED_AT ? null : before;
        const isSame = known !== null && known.available === available && known.reason === reason;
        const revision = (known?.revision ?? NEVER_LOOKED_AT) + (isSame ? 0 : 1);
        const saved = { $set: { ...record, revision }, $setOnInsert: { dueAt: askedAt + LOOK_AGAIN_MS } };
        await model.updateOne({ _id }, saved, { upsert: true, session: tx });
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
    async expect(projectId, name, nowMs) {
      const nothing = { available: false, reason: null, capabilities: null, checkedAt: null, fingerprint: null };
      const unseen = { projectId, model: name, ...nothing, revision: NEVER_LOOKED_AT, askedAt: nowMs, dueAt: nowMs };
      await model.updateOne({ _id: `${projectId}:${name}` }, { $setOnInsert: unseen }, { upsert: true });
    },
    async remove(projectId, name) {
      await model.deleteOne({ _id: `${projectId}:${name}` });
    },
  };
}

function fromDocument(document: StoredRecord | null): CapabilityRecord | undefined {
  if (document === null || document.revision === NEVER_LOOKED_AT) return undefined;
  const { _id, ...record } = document;
  return record;
}
