import { Schema, type Connection, type Model } from 'mongoose';
import { modelOf } from '@clew/persistence';
import type { AuditEntry } from './audit-entry.ts';

export type AuditDocument = AuditEntry & {
  _id: string;
  /** Area of the action, for a filter by area. */
  area: string;
};

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
    area: { type: String, required: true },
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
  // Kept as it is: an empty object says that nothing of the kind was there, and the contract has it.
  { collection: 'audit', versionKey: false, minimize: false },
);
// One index for each filter by equality, all in the order of the list; the server picks one and filters the rest.
const NEWEST_FIRST = { at: -1, _id: -1 } as const;
auditSchema.index({ workspaceId: 1, ...NEWEST_FIRST });
for (const field of ['projectId', 'actor.id', 'target.id', 'area', 'action']) {
  auditSchema.index({ workspaceId: 1, [field]: 1, ...NEWEST_FIRST });
}
// For the removal of what is older than the retention.
auditSchema.index({ at: 1 });

export function auditModel(connection: Connection): Model<AuditDocument> {
  return modelOf(connection, 'Audit', auditSchema);
}
