import type { AuditActor, Principal } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { AuditEntry } from './audit-entry.ts';
import { auditModel, type AuditDocument } from './audit.model.ts';

export type { AuditEntry } from './audit-entry.ts';

/** Deed that another service reports; its action may be one that only a newer version knows. */
export type RecordedDeed = Omit<AuditEntry, 'action' | 'target'> & {
  action: string;
  target: { kind: string; id: string };
};

export interface AuditLog {
  append(tx: Transaction, entry: AuditEntry): Promise<void>;
  appendRecorded(tx: Transaction, deeds: readonly RecordedDeed[]): Promise<void>;
}

export function createAuditLog(database: Database): AuditLog {
  const model = auditModel(database.connection);
  const appendRecorded: AuditLog['appendRecorded'] = async (tx, deeds) => {
    if (deeds.length > 0) await model.insertMany(deeds.map(documentOf), { session: tx });
  };
  return { appendRecorded, append: (tx, entry) => appendRecorded(tx, [entry]) };
}

function documentOf(deed: RecordedDeed): AuditDocument {
  const [area = ''] = deed.action.split('.');
  return { _id: newId('aud'), area, ...(deed as AuditEntry) };
}

/** Actor of what a caller does. */
export function actorOf({ kind, id }: Exclude<Principal, { kind: 'service' }>): AuditActor {
  return { kind, id };
}
