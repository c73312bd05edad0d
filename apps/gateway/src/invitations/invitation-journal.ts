import type { AuditAction, AuditActor } from '@clew/contracts';
import type { Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { AuditLog } from '../audit/audit.ts';
import type { RequestOrigin } from '../request-origin.ts';
import type { StoredInvitation } from './invitation.ts';

/** Records what happens to invitations, in the transaction in which it happens. */
export interface InvitationJournal {
  record(
    tx: Transaction,
    action: Extract<AuditAction, `invitation.${string}`>,
    invitation: StoredInvitation,
    by: { actor: AuditActor; origin: RequestOrigin },
  ): Promise<void>;
}

export function createInvitationJournal({ audit, clock }: { audit: AuditLog; clock: Clock }): InvitationJournal {
  return {
    async record(tx, action, invitation, { actor, origin }) {
      const { id, workspaceId, email, owner, projectRoles } = invitation;
      const [only, ...others] = projectRoles;
      const projectId = only !== undefined && others.length === 0 ? only.projectId : null;
      const about = { workspaceId, projectId, actor, action, target: { kind: 'invitation' as const, id } };
      const after = { email, owner, projectRoles };
      await audit.append(tx, { ...about, ...origin, before: null, after, at: clock.now() });
    },
  };
}
