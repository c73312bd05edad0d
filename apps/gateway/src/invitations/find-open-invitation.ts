import { notFound, type Clock } from '@clew/kernel';
import type { Transaction } from '@clew/persistence';
import type { LinkTokens } from '../links/link-token.ts';
import type { ReadRights } from '../members/read-rights.ts';
import { mayGive } from '../members/rights.ts';
import { isActive, type StoredUser } from '../people/user.ts';
import type { UserStore } from '../people/users.store.ts';
import { givenBy, isOpen, type StoredInvitation } from './invitation.ts';
import type { InvitationStore } from './invitations.store.ts';

/**
 * Finds an invitation that works at this moment, and the account of its address. All others are the same 404: also one
 * whose maker may no longer give what it gives, and one for an account that is deactivated.
 */
export type FindOpenInvitation = (
  token: string,
  tx?: Transaction,
) => Promise<{ invitation: StoredInvitation; user: StoredUser | undefined }>;

/** Lists the invitations of an address that work at this moment, for who has proved that the address is theirs. */
export type InvitationsOfAddress = (email: string, tx: Transaction) => Promise<StoredInvitation[]>;

interface WorkingDependencies {
  readRights: Pick<ReadRights, 'ofMaker'>;
  clock: Clock;
}

export interface FindOpenInvitationDependencies extends WorkingDependencies {
  invitations: Pick<InvitationStore, 'findByToken'>;
  users: Pick<UserStore, 'findByEmail'>;
  tokens: LinkTokens;
}

/** Invitations of one address that are looked at. */
const MAX_OF_ADDRESS = 100;

export function createFindOpenInvitation(deps: FindOpenInvitationDependencies): FindOpenInvitation {
  const { invitations, users, tokens } = deps;
  return async (token, tx) => {
    const hash = tokens.hashOf('invitation', token);
    const invitation = hash === undefined ? undefined : await invitations.findByToken(hash, tx);
    if (invitation === undefined || !(await isWorking(deps, invitation, tx))) throw notFound();
    const { workspaceId, email } = invitation;
    const user = await users.findByEmail(email, tx);
    if (user !== undefined && (user.workspaceId !== workspaceId || !isActive(user))) throw notFound();
    return { invitation, user };
  };
}

export function createInvitationsOfAddress(
  deps: WorkingDependencies & { invitations: Pick<InvitationStore, 'ofAddress'> },
): InvitationsOfAddress {
  return async (email, tx) => {
    const working: StoredInvitation[] = [];
    for (const invitation of await deps.invitations.ofAddress(email, MAX_OF_ADDRESS, tx)) {
      if (await isWorking(deps, invitation, tx)) working.push(invitation);
    }
    return working;
  };
}

async function isWorking(
  { readRights, clock }: WorkingDependencies,
  invitation: StoredInvitation,
  tx: Transaction | undefined,
): Promise<boolean> {
  if (!isOpen(invitation, clock.now())) return false;
  const { createdBy: id, workspaceId } = invitation;
  const rights = await readRights.ofMaker({ id, workspaceId }, tx);
  return rights !== undefined && mayGive(rights, givenBy(invitation));
}
