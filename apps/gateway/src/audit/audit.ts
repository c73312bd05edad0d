import type { AuditActor, Principal } from '@clew/contracts';
import { newId } from '@clew/kernel';
import type { Database, Transaction } from '@clew/persistence';
import type { AuditEntry } from './audit-entry.ts';
import { auditModel } from './audit.model.ts';

export type { AuditEntry } from './audit-entry.ts';

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

/** Actor of what a caller does. */
export function actorOf({ kind, id }: Exclude<Principal, { kind: 'service' }>): AuditActor {
  return { kind, id };
}
