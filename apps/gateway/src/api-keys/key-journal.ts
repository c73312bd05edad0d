import { apiKeyChanged } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Outbox, Transaction } from '@clew/persistence';
import { actorOf, type AuditEntry, type AuditLog } from '../audit/audit.ts';
import type { GatewayCaller } from '../caller.ts';
import type { RequestOrigin } from '../request-origin.ts';
import { projectOf, type StoredApiKey } from './api-key.ts';

/** Actor of a change to a key: the caller and the origin of the request. */
export interface KeyActor {
  caller: GatewayCaller;
  origin: RequestOrigin;
}

/** Records changes to keys, in the transaction of the change. */
export interface KeyJournal {
  /** Writes an audit entry. */
  record(
    tx: Transaction,
    action: Extract<AuditEntry['action'], `api-key.${string}`>,
    key: StoredApiKey,
    actor: KeyActor,
    after: Record<string, unknown> | null,
  ): Promise<void>;
  /** Tells every gateway to forget the key. */
  announce(tx: Transaction, key: StoredApiKey, origin: RequestOrigin, nowMs: number): Promise<void>;
}

export interface KeyJournalDependencies {
  audit: AuditLog;
  outbox: Outbox;
  clock: Clock;
}

export function createKeyJournal({ audit, outbox, clock }: KeyJournalDependencies): KeyJournal {
  return {
    async record(tx, action, key, { caller, origin }, after) {
      await audit.append(tx, {
        workspaceId: caller.workspaceId,
        projectId: projectOf(key),
        actor: actorOf(caller.principal),
        action,
        target: { kind: 'api-key', id: key.id },
        ...origin,
        before: action === 'api-key.created' ? null : { name: key.name, scopes: key.scopes },
        after,
        at: clock.now(),
      });
    },
    async announce(tx, key, origin, nowMs) {
      await outbox.append(tx, apiKeyChanged, {
        key: `${key.id}:${nowMs}`,
        projectId: key.projectIds === 'all' ? '' : (key.projectIds[0] ?? ''),
        requestId: origin.requestId,
        occurredAt: nowMs,
        data: { keyId: key.id },
      });
    },
  };
}
