import { Schema, type Connection, type Model, type mongo } from 'mongoose';
import { modelAvailabilityChanged } from '@clew/contracts';
import { scheduleFields, modelOf, nativeDb, type Database, type ScheduleFields, type Outbox } from '@clew/persistence';
import { LOOK_AGAIN_MS, type CapabilityRecord } from './capability-record.ts';

/** `_id` is `<project>:<model>`. */
type StoredRecord = CapabilityRecord & { _id: string };
/** Stored record, due at its next automatic check. */
export type CapabilityDocument = StoredRecord & ScheduleFields;

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
    ...scheduleFields,
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

/** Filter for all models of a provider. */
export function ofProvider(projectId: string, provider: string) {
  // Range of names that begin with the provider and a slash: `0` is the character after `/`.
  return { projectId, model: { $gte: `${provider}/`, $lt: `${provider}0` } };
}

export interface CapabilityStore {
  find(projectId: string, model: string): Promise<CapabilityRecord | undefined>;
  /** Lists the records of a project, at most 1,000. */
  list(projectId: string): Promise<CapabilityRecord[]>;
  /** Stores a record, and announces a change of its availability. */
  save(record: CapabilityRecord): Promise<void>;
  /** Schedules the first check of a model; until then it stays unknown. */
  expect(projectId: string, model: string, nowMs: number): Promise<void>;
  remove(projectId: string, model: string): Promise<void>;
}

const MAX_LISTED = 1_000;
/**
 * Revision of a model that was never checked: its scheduled task is due, and it has no content. Each changed result
 * increases the revision.
 */
const NEVER_LOOKED_AT = 0;
/** Projection that leaves out the fields of claims, which must not be saved with a record. */
const WITHOUT_DUE_FIELDS = Object.fromEntries(Object.keys(scheduleFields).map((name) => [name, 0]));

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
