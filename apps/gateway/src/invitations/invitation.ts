import type { Invitation, ProjectRole } from '@clew/contracts';

export interface StoredInvitation {
  id: string;
  workspaceId: string;
  email: string;
  owner: boolean;
  projectRoles: ProjectRole[];
  /** Hash of the token of its link; the link itself is not kept. */
  tokenHash: string;
  mail: Invitation['mail'];
  /** Time at which the mail was handed over to be sent; null without a mail server. */
  mailedAt: number | null;
  /**
   * Maker of its link. The link gives what its maker may give at the moment it is used: an invitation does not outlive
   * the rights that it hands on.
   */
  createdBy: string;
  createdAt: number;
  expiresAt: number;
}

/** Time after which a mail of which nothing was heard is taken to have failed: its process was ended meanwhile. */
const MAIL_LOST_MS = 120_000;

export function isOpen({ expiresAt }: Pick<StoredInvitation, 'expiresAt'>, nowMs: number): boolean {
  return expiresAt > nowMs;
}

/** Roles that an invitation gives, in the form in which rights are checked. */
export function givenBy({ owner, projectRoles }: Pick<StoredInvitation, 'owner' | 'projectRoles'>) {
  return { owner, projectRoles };
}

export function invitationView(invitation: StoredInvitation, nowMs: number): Invitation {
  const { id, email, owner, projectRoles, createdBy, createdAt, expiresAt } = invitation;
  const role = owner ? ('owner' as const) : null;
  return { id, email, role, projectRoles, mail: mailOf(invitation, nowMs), createdBy, createdAt, expiresAt };
}

function mailOf({ mail, mailedAt }: StoredInvitation, nowMs: number): Invitation['mail'] {
  return mail === 'sending' && mailedAt !== null && nowMs - mailedAt > MAIL_LOST_MS ? 'failed' : mail;
}
