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

export interface FindOpenInvitationDependencies {
  invitations: Pick<InvitationStore, 'findByToken'>;
  users: Pick<UserStore, 'findByEmail'>;
  readRights: Pick<ReadRights, 'ofMaker'>;
  tokens: LinkTokens;
  clock: Clock;
}

export function createFindOpenInvitation(deps: FindOpenInvitationDependencies): FindOpenInvitation {
  const { invitations, users, readRights, tokens, clock } = deps;
  return async (token, tx) => {
    const hash = tokens.hashOf('invitation', token);
    const invitation = hash === undefined ? undefined : await invitations.findByToken(hash, tx);
    if (invitation === undefined || !isOpen(invitation, clock.now())) throw notFound();
    const { createdBy: id, workspaceId, email } = invitation;
    const rights = await readRights.ofMaker({ id, workspaceId }, tx);
    if (rights === undefined || !mayGive(rights, givenBy(invitation))) throw notFound();
    const user = await users.findByEmail(email, tx);
    if (user !== undefined && (user.workspaceId !== workspaceId || !isActive(user))) throw notFound();
    return { invitation, user };
  };
}
