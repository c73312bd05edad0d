import type { AuditAction } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import type { StoredUser } from '../people/user.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { StoredDevice } from './device.ts';

/** Person who decides on a device. */
export interface DeviceDecider {
  user: StoredUser;
  origin: RequestOrigin;
}

/** Records what happens to a device, in the transaction in which it happens. */
export type RecordDevice = (
  tx: Transaction,
  action: Extract<AuditAction, `device.${string}`>,
  device: StoredDevice,
  by: DeviceDecider,
) => Promise<void>;

export function createRecordDevice({ audit, clock }: { audit: AuditLog; clock: Clock }): RecordDevice {
  return async (tx, action, { name, address, projectId, createdAt }, { user: { id, workspaceId }, origin }) => {
    const target = { kind: 'device' as const, id: name };
    const by = { actor: { kind: 'user' as const, id }, ...origin };
    const after = { askedFrom: address, askedAt: createdAt };
    await audit.append(tx, { workspaceId, projectId, ...by, action, target, before: null, after, at: clock.now() });
  };
}
