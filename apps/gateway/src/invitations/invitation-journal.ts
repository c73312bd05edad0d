import type { Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { AuditEntry, AuditLog } from '../audit/audit.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { StoredInvitation } from './invitation.ts';

/** Records what happens to invitations, in the transaction in which it happens. */
export interface InvitationJournal {
  record(
    tx: Transaction,
    action: Extract<AuditEntry['action'], `invitation.${string}`>,
    invitation: StoredInvitation,
    actor: { caller: { principal: { kind: 'user' | 'key'; id: string } }; origin: RequestOrigin },
  ): Promise<void>;
}

export function createInvitationJournal({ audit, clock }: { audit: AuditLog; clock: Clock }): InvitationJournal {
  return {
    async record(tx, action, { id, workspaceId, email, owner, projectRoles }, { caller, origin }) {
      await audit.append(tx, {
        ...{ workspaceId, actorId: caller.principal.id, action, targetId: id, ...origin },
        ...{ before: null, after: { email, owner, projectRoles }, at: clock.now() },
      });
    },
  };
}
