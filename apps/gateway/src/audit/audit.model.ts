import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { AuditEntry } from './audit-entry.ts';

export type AuditDocument = AuditEntry & { _id: string };

const auditSchema = new Schema<AuditDocument>(
  {
    _id: { type: String, required: true },
    workspaceId: { type: String, required: true },
    projectId: { type: String, default: null },
    actor: {
      _id: false,
      required: true,
      type: { kind: { type: String, required: true }, id: { type: String, required: true } },
    },
    action: { type: String, required: true },
    target: {
      _id: false,
      required: true,
      type: { kind: { type: String, required: true }, id: { type: String, required: true } },
    },
    address: { type: String, default: null },
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
