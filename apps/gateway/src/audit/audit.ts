import { Schema, type Connection, type Model } from 'mongoose';
import { newId } from '@clew/kernel';
import { type Database, modelOf, type Transaction } from '@clew/persistence';

/** One change to identity data. Entries are append-only and written in the transaction of the change. */
export interface AuditEntry {
  workspaceId: string;
  actorId: string;
  action:
    | `project.${'created' | 'renamed' | 'deleted'}`
    | `api-key.${'created' | 'rotated' | 'revoked'}`
    | `person.${'created' | 'renamed' | 'password-changed'}`
    | `session.${'opened' | 'refused' | 'ended' | 'link-created'}`;
  targetId: string;
  ip: string | null;
  requestId: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  at: number;
}

type AuditDocument = AuditEntry & { _id: string };

const auditSchema = new Schema<AuditDocument>(
  {
    _id: { type: String, required: true },
    workspaceId: { type: String, required: true },
    actorId: { type: String, required: true },
    action: { type: String, required: true },
    targetId: { type: String, required: true },
    ip: { type: String, default: null },
    requestId: { type: String, required: true },
    before: { type: Schema.Types.Mixed, default: null },
    after: { type: Schema.Types.Mixed, default: null },
    at: { type: Number, required: true },
  },
  { collection: 'audit', versionKey: false },
);
auditSchema.index({ workspaceId: 1, at: -1, _id: -1 });

export function auditModel(connection: Connection): Model<AuditDocument> {
  return modelOf(connection, 'Audit', auditSchema);
}

export interface AuditLog {
  append(tx: Transaction, entry: AuditEntry): Promise<void>;
}

export function createAuditLog(database: Database): AuditLog {
  const model = auditModel(database.connection);
  return {
    async append(tx, entry) {
      await model.create([{ _id: newId('aud'), ...entry }], { session: tx });
    },
  };
}
